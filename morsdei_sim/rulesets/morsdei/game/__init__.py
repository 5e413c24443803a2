"""Whole battles of MORSDEI.

The board and what it decides before any model moves:

boards · board_file · drawing   pieces of terrain as data: TOML files for users, drawings for tests
shapes · terrain                outlines, convex prisms, segments against prisms
places                          where a base of one size can stand
sight · contact                 who sees whom and how, who is in contact, as far as terrain decides it
legs · paths                    straight legs of a movement and shortest paths made of them
moves                           the same past the models on the table: what the rules allow
prepared                        all of it built once per board and base sizes, kept in the cache
fire_lines                      whether a board lets one zone shoot into the other (G2)

A battle while it is played:

records · world · worlds        its two records and their tables; cards, board and bots put into them
ledger · events                 what is written down: tallies, rules that mattered, rows of the log
legal · hooks                   what the rules allow right now; what a bot is asked and may answer
exchanges · expect              shots and exchanges on the board, and what they do on average
deployment · actions · battle   how it begins, what a fighter does, rounds and turns to the result
bots                            who decides

Many battles, and one told:

setting · series · counting     what a user asked for, made ready; any number of games, counted
summary · sketch                figures and frames of the counts; boards drawn
chronicle*                      the log of one game as events, with every die
"""
