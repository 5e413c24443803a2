"""Whole battles of MORSDEI: the board and what it decides before any model moves.

boards · board_file · drawing   pieces of terrain as data: TOML files for users, drawings for tests
shapes · terrain                outlines, convex prisms, segments against prisms
places                          where a base of one size can stand
sight · contact                 who sees whom and how, who is in contact, as far as terrain decides it
legs · paths                    straight legs of a movement and shortest paths made of them
moves                           the same past the models on the table: what the rules allow
prepared                        all of it built once per board and base sizes, kept in the cache
fire_lines                      whether a board lets one zone shoot into the other (G2)
"""
