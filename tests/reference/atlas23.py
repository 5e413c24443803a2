"""The exact numbers of atlas section 23 (`rules/morsdei.md`), as data: each table is a list of dicts.

Made from the tables of the atlas by a script. Printed numbers stay strings, decimals rounded to six places, so compare
with `close`. Both the reference and the product are tested against them. Weapons are 4d6 Hit 4+ Damage 4 unless told;
in melee `a` is the initiator and `b` the target; blows are (on a, on b).
"""

from fractions import Fraction
from typing import Any

Row = dict[str, Any]


def close(value: Fraction | float, printed: str) -> bool:
    """Does the value round to what the atlas prints (or equal the printed fraction)?"""
    if "/" in printed or "." not in printed:
        return Fraction(printed) == value if isinstance(value, Fraction) else abs(Fraction(printed) - value) < 1e-12
    half_a_place = 0.5 * 10.0 ** -len(printed.partition(".")[2])
    return abs(float(value) - float(printed)) <= half_a_place + 1e-12


def _cell(text: str) -> Any:
    """An integer, a tuple (commas, or "()" for none), True or False, else the text."""
    if "," in text:
        return tuple(_cell(part.strip()) for part in text.split(",") if part)
    words = {"()": (), "True": True, "False": False}
    return words.get(text, int(text) if text.isdigit() else text)


def _table(text: str) -> list[Row]:
    """Lines of cells between bars; the first line names the columns."""
    names, *rows = [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]
    return [{name: _cell(cell) for name, cell in zip(names, row, strict=True)} for row in rows]


# 23.2: "critical saves cancel critical hits first" against the best assignment; (N, C, s, k) of the first worse case.
NAIVE_SAVES: dict[Any, Any] = {
    "cases": 2401,
    "worse": 349,
    "first": (2, 1, 0, 1),
    "first_best": 1,
    "first_naive": 2,
    "mean": "0.880623",
    "best_mean": "0.856446",
    "hits": ("0.443501", "0.307281", "0.182474", "0.058581", "0.008163"),
}


# 23.3: 4d6 Hit 4+ Damage 4 against Defence 3; hits: chances of 0, 1, 2, ... unsaved hits.
REFERENCE_SHOT = _table("""
case            | defence_dice | cover | prone | hits                                             | mean_damage
open            | 3            | False | False | 0.443501, 0.326057, 0.169099, 0.053180, 0.008163 | 3.425783
+1 cover        | 4            | True  | False | 0.548746, 0.290747, 0.124102, 0.032174, 0.004230 | 2.609577
+1 prone        | 4            | False | True  | 0.548746, 0.290747, 0.124102, 0.032174, 0.004230 | 2.609577
cover and prone | 5            | True  | True  | 0.634601, 0.251511, 0.091698, 0.019951, 0.002239 | 2.014865
""")


# 23.3: the same exactly, by Defence Dice.
REFERENCE_EXACT = _table("""
defence_dice | hits
3            | 5173/11664, 30425/93312, 15779/93312, 14887/279936, 2285/279936
4            | 921683/1679616, 61043/209952, 52111/419904, 6755/209952, 7105/1679616
5            | 3197657/5038848, 7823/31104, 77009/839808, 67019/3359232, 22565/10077696
""")


# 23.3: one such shot at a target at full HP.
REFERENCE_HP = _table("""
case            | defence_dice | hp | kill     | injured  | hp_lost
open            | 3            | 7  | 0.230442 | 0.326057 | 2.917320
open            | 3            | 8  | 0.230442 | 0.000000 | 3.147762
open            | 3            | 9  | 0.061343 | 0.169099 | 3.209105
open            | 3            | 10 | 0.061343 | 0.169099 | 3.270448
cover or prone  | 4            | 7  | 0.160506 | 0.290747 | 2.286534
cover or prone  | 4            | 8  | 0.160506 | 0.000000 | 2.447040
cover or prone  | 4            | 9  | 0.036404 | 0.124102 | 2.483444
cover or prone  | 4            | 10 | 0.036404 | 0.124102 | 2.519849
cover and prone | 5            | 7  | 0.113888 | 0.251511 | 1.803261
cover and prone | 5            | 8  | 0.113888 | 0.000000 | 1.917149
cover and prone | 5            | 9  | 0.022190 | 0.091698 | 1.939339
cover and prone | 5            | 10 | 0.022190 | 0.091698 | 1.961529
""")


# 23.3: two such shots in a row, chance to remove the target.
TWO_SHOTS = _table("""
case            | defence_dice | hp | kill
open            | 3            | 7  | 0.514093
open            | 3            | 8  | 0.514093
open            | 3            | 9  | 0.257789
open            | 3            | 10 | 0.257789
cover or prone  | 4            | 7  | 0.379784
cover or prone  | 4            | 8  | 0.379784
cover or prone  | 4            | 9  | 0.159049
cover or prone  | 4            | 10 | 0.159049
cover and prone | 5            | 7  | 0.278064
cover and prone | 5            | 8  | 0.278064
cover and prone | 5            | 9  | 0.098422
cover and prone | 5            | 10 | 0.098422
""")


# 23.3: other profiles; dice and hit are final, Damage 4.
OTHER_PROFILES = _table("""
dice | hit | defence_dice | hits                                             | mean_damage
4    | 3   | 3            | 0.316008, 0.325528, 0.228738, 0.104685, 0.025041 | 4.788895
4    | 3   | 4            | 0.438902, 0.312067, 0.172874, 0.063488, 0.012670 | 3.595831
4    | 3   | 5            | 0.547751, 0.279998, 0.127404, 0.038389, 0.006459 | 2.703229
4    | 5   | 3            | 0.559664, 0.303323, 0.112997, 0.022123, 0.001893 | 2.413037
4    | 5   | 4            | 0.636861, 0.261741, 0.085683, 0.014620, 0.001095 | 1.925392
4    | 5   | 5            | 0.697892, 0.224635, 0.066640, 0.010161, 0.000672 | 1.564341
4    | 6   | 3            | 0.653435, 0.264528, 0.072392, 0.009199, 0.000447 | 1.754773
3    | 4   | 3            | 0.573517, 0.302148, 0.106610, 0.017725           | 2.274177
3    | 4   | 4            | 0.667213, 0.250911, 0.072120, 0.009756           | 1.697674
3    | 4   | 5            | 0.737452, 0.206516, 0.050409, 0.005622           | 1.296804
3    | 5   | 3            | 0.659937, 0.266075, 0.067258, 0.006730           | 1.683128
""")


# 23.3: further unit tests.
UNIT_SHOTS = _table("""
dice | hit | defence_dice | hits
4    | 4   | 2            | 0.320430, 0.345593, 0.228888, 0.089120, 0.015968
5    | 3   | 3            | 0.197782, 0.277068, 0.261654, 0.171673, 0.075304, 0.016519
5    | 4   | 4            | 0.438082, 0.305391, 0.173012, 0.065264, 0.016244, 0.002007
6    | 2   | 2            | 0.009624, 0.049607, 0.133177, 0.232991, 0.278566, 0.212301, 0.083734
4    | 4   | 0            | 1/16, 1/4, 3/8, 1/4, 1/16
1    | 4   | 1            | 25/36, 11/36
""")


# 23.4: mean hits left against 3, 4, 5 Defence Dice once the attack roll is known.
DEFENCE_DIE = _table("""
normals | crits | dice_3   | dice_4   | dice_5
0       | 1     | 0.578704 | 0.482253 | 0.401878
0       | 2     | 1.504630 | 1.350309 | 1.205633
0       | 3     | 2.500000 | 2.334105 | 2.170139
0       | 4     | 3.500000 | 3.333333 | 3.166795
1       | 0     | 0.125000 | 0.062500 | 0.031250
1       | 1     | 0.828704 | 0.628086 | 0.485211
1       | 2     | 1.796296 | 1.537809 | 1.323688
1       | 3     | 2.796296 | 2.530864 | 2.299769
2       | 0     | 0.500000 | 0.291667 | 0.166667
2       | 1     | 1.370370 | 1.023920 | 0.759516
2       | 2     | 2.365741 | 1.989198 | 1.667438
3       | 0     | 1.166667 | 0.770833 | 0.493056
3       | 1     | 2.134259 | 1.655864 | 1.259516
4       | 0     | 2.037037 | 1.490741 | 1.050926
""")


# 23.5: the exhaustive check of the law.
CONSERVATION: dict[Any, Any] = {"lowest_face": 3, "most_dice": 3, "pairs": 1225, "outcomes": 2931}


# 23.6: best play by both; "survive" is the chance that the initiator is removed. May pass: the RULING 47 variant.
BEST_PLAY = _table("""
hp_a | hp_b | objective       | value     | exact           | no_guard  | may_pass
9    | 7    | net             | 1.284470  | 269677/209952   | 1.239702  | 1.284470
9    | 7    | net-hp          | 1.132024  | 1901365/1679616 | 1.089673  | 1.132024
9    | 7    | kill-difference | 0.333010  | 186443/559872   | 0.335588  | 0.323096
9    | 7    | kill            | 0.411020  | 690355/1679616  | 0.444263  | 0.372749
9    | 7    | survive         | 0.078009  | 65513/839808    | 0.108675  | 0.049653
7    | 9    | net             | 0.905628  | 42253/46656     | 0.782800  | 0.905628
7    | 9    | net-hp          | 0.905090  | 1520203/1679616 | 0.802349  | 0.905090
7    | 9    | kill-difference | -0.273957 | -51127/186624   | -0.387240 | -0.144975
7    | 9    | kill            | 0.118835  | 199597/1679616  | 0.123262  | 0.112951
7    | 9    | survive         | 0.392792  | 164935/419904   | 0.510502  | 0.257927
9    | 9    | net             | 0.538845  | 75421/139968    | 0.503703  | 0.538845
9    | 9    | net-hp          | 0.508961  | 284953/559872   | 0.483872  | 0.508961
9    | 9    | kill-difference | -0.002963 | -553/186624     | -0.084768 | 0.053628
9    | 9    | kill            | 0.122929  | 206473/1679616  | 0.134686  | 0.113787
9    | 9    | survive         | 0.125892  | 105725/839808   | 0.219454  | 0.060159
7    | 7    | net             | 1.533970  | 80515/52488     | 1.406131  | 1.533970
7    | 7    | net-hp          | 1.408443  | 2365643/1679616 | 1.296148  | 1.408443
7    | 7    | kill-difference | 0.147160  | 82391/559872    | 0.112133  | 0.167729
7    | 7    | kill            | 0.392794  | 659743/1679616  | 0.403220  | 0.368624
7    | 7    | survive         | 0.245634  | 206285/839808   | 0.291087  | 0.200895
""")


# 23.6: outcomes of best play with the tie-breaks.
OUTCOMES = _table("""
hp_a | hp_b | objective       | b_removed | a_removed | unhurt   | to_b     | to_a     | lost_b   | lost_a
9    | 7    | net             | 0.410419  | 0.078009  | 0.035156 | 4.819802 | 3.535332 | 4.409382 | 3.301303
9    | 7    | net-hp          | 0.375093  | 0.074216  | 0.037400 | 4.654350 | 3.369880 | 4.279256 | 3.147232
9    | 7    | kill-difference | 0.411020  | 0.078009  | 0.035156 | 4.822202 | 3.540133 | 4.411183 | 3.306104
7    | 9    | net             | 0.118835  | 0.353226  | 0.057376 | 5.093286 | 4.187657 | 4.736781 | 3.834431
7    | 9    | net-hp          | 0.113498  | 0.339955  | 0.037400 | 5.098758 | 4.193130 | 4.758264 | 3.853175
7    | 9    | kill-difference | 0.118835  | 0.392792  | 0.057376 | 5.409815 | 4.345922 | 5.053310 | 3.953130
9    | 9    | net             | 0.122929  | 0.116054  | 0.035156 | 5.302286 | 4.763441 | 4.933500 | 4.415279
9    | 9    | net-hp          | 0.114277  | 0.104316  | 0.035156 | 5.261076 | 4.722232 | 4.918246 | 4.409285
9    | 9    | kill-difference | 0.122929  | 0.125892  | 0.035156 | 5.380989 | 4.802793 | 5.012203 | 4.425117
7    | 7    | net             | 0.392794  | 0.245634  | 0.037400 | 4.645624 | 3.111654 | 4.252830 | 2.866021
7    | 7    | net-hp          | 0.371075  | 0.245548  | 0.037400 | 4.558404 | 3.024434 | 4.187329 | 2.778886
7    | 7    | kill-difference | 0.392794  | 0.245634  | 0.037400 | 4.645624 | 3.111654 | 4.252830 | 2.866021
""")


# 23.6: blows under best play; 0.000000 is a pair that the atlas does not list.
BLOWS = _table("""
hp_a | hp_b | objective       | on_a | on_b_0   | on_b_1   | on_b_2   | on_b_3
9    | 7    | net             | 0    | 0.035156 | 0.075253 | 0.355067 | 0.000000
9    | 7    | net             | 1    | 0.078068 | 0.147429 | 0.037726 | 0.000000
9    | 7    | net             | 2    | 0.062596 | 0.113069 | 0.017625 | 0.000000
9    | 7    | net             | 3    | 0.029648 | 0.048361 | 0.000000 | 0.000000
9    | 7    | net-hp          | 0    | 0.037400 | 0.096972 | 0.355067 | 0.000000
9    | 7    | net-hp          | 1    | 0.078068 | 0.158792 | 0.016007 | 0.000000
9    | 7    | net-hp          | 2    | 0.066390 | 0.113069 | 0.004019 | 0.000000
9    | 7    | net-hp          | 3    | 0.029648 | 0.044567 | 0.000000 | 0.000000
9    | 7    | kill-difference | 0    | 0.035156 | 0.074653 | 0.355067 | 0.000000
9    | 7    | kill-difference | 1    | 0.078068 | 0.147429 | 0.037726 | 0.000000
9    | 7    | kill-difference | 2    | 0.062596 | 0.113069 | 0.018226 | 0.000000
9    | 7    | kill-difference | 3    | 0.029648 | 0.048361 | 0.000000 | 0.000000
7    | 9    | net             | 0    | 0.057376 | 0.075382 | 0.063111 | 0.110444
7    | 9    | net             | 1    | 0.090128 | 0.125631 | 0.116312 | 0.008391
7    | 9    | net             | 2    | 0.103861 | 0.141773 | 0.107592 | 0.000000
7    | 9    | net-hp          | 0    | 0.037400 | 0.075382 | 0.068448 | 0.110444
7    | 9    | net-hp          | 1    | 0.090213 | 0.158792 | 0.116312 | 0.003054
7    | 9    | net-hp          | 2    | 0.103861 | 0.141687 | 0.094407 | 0.000000
7    | 9    | kill-difference | 0    | 0.057376 | 0.075382 | 0.063111 | 0.110444
7    | 9    | kill-difference | 1    | 0.050562 | 0.125631 | 0.116312 | 0.008391
7    | 9    | kill-difference | 2    | 0.103861 | 0.141773 | 0.147159 | 0.000000
9    | 9    | net             | 0    | 0.035156 | 0.074653 | 0.063111 | 0.110444
9    | 9    | net             | 1    | 0.088885 | 0.147465 | 0.113726 | 0.008391
9    | 9    | net             | 2    | 0.062596 | 0.094307 | 0.081119 | 0.004094
9    | 9    | net             | 3    | 0.029648 | 0.048361 | 0.038044 | 0.000000
9    | 9    | net-hp          | 0    | 0.035156 | 0.075382 | 0.068448 | 0.110444
9    | 9    | net-hp          | 1    | 0.078068 | 0.147465 | 0.116312 | 0.003054
9    | 9    | net-hp          | 2    | 0.066390 | 0.113069 | 0.081119 | 0.000779
9    | 9    | net-hp          | 3    | 0.029648 | 0.044567 | 0.030100 | 0.000000
9    | 9    | kill-difference | 0    | 0.035156 | 0.074653 | 0.063111 | 0.110444
9    | 9    | kill-difference | 1    | 0.088885 | 0.147465 | 0.113726 | 0.008391
9    | 9    | kill-difference | 2    | 0.052758 | 0.094307 | 0.081119 | 0.004094
9    | 9    | kill-difference | 3    | 0.029648 | 0.048361 | 0.047882 | 0.000000
7    | 7    | net             | 0    | 0.037400 | 0.075253 | 0.355067 | 0.000000
7    | 7    | net             | 1    | 0.090128 | 0.158792 | 0.037726 | 0.000000
7    | 7    | net             | 2    | 0.103861 | 0.141773 | 0.000000 | 0.000000
7    | 7    | net-hp          | 0    | 0.037400 | 0.096972 | 0.355067 | 0.000000
7    | 7    | net-hp          | 1    | 0.090213 | 0.158792 | 0.016007 | 0.000000
7    | 7    | net-hp          | 2    | 0.103861 | 0.141687 | 0.000000 | 0.000000
7    | 7    | kill-difference | 0    | 0.037400 | 0.075253 | 0.355067 | 0.000000
7    | 7    | kill-difference | 1    | 0.090128 | 0.158792 | 0.037726 | 0.000000
7    | 7    | kill-difference | 2    | 0.103861 | 0.141773 | 0.000000 | 0.000000
""")


# 23.6: both sides play one style.
FIXED_STYLES = _table("""
hp_a | hp_b | style       | net      | b_removed | a_removed | unhurt
9    | 7    | high        | 1.158841 | 0.431825  | 0.089128  | 0.028212
9    | 7    | low         | 0.910613 | 0.349370  | 0.069586  | 0.086182
9    | 7    | guard       | 0.774910 | 0.305709  | 0.069205  | 0.076616
9    | 7    | strike-only | 4.078125 | 0.687500  | 0.097656  | 0.003906
7    | 9    | high        | 0.601530 | 0.121140  | 0.399741  | 0.028212
7    | 9    | low         | 0.618515 | 0.108278  | 0.308235  | 0.086182
7    | 9    | guard       | 0.525632 | 0.069726  | 0.302680  | 0.076616
7    | 9    | strike-only | 3.281250 | 0.312500  | 0.472656  | 0.003906
9    | 9    | high        | 0.451001 | 0.129735  | 0.120077  | 0.028212
9    | 9    | low         | 0.450939 | 0.110843  | 0.095499  | 0.086182
9    | 9    | guard       | 0.226949 | 0.070791  | 0.087884  | 0.076616
9    | 9    | strike-only | 2.421875 | 0.312500  | 0.214844  | 0.003906
7    | 7    | high        | 1.219950 | 0.397146  | 0.302201  | 0.028212
7    | 7    | low         | 0.984797 | 0.335231  | 0.235771  | 0.086182
7    | 7    | guard       | 1.003134 | 0.300485  | 0.241078  | 0.076616
7    | 7    | strike-only | 4.468750 | 0.687500  | 0.214844  | 0.003906
""")


# 23.6: blows when both play "high".
STYLE_BLOWS = _table("""
hp_a | hp_b | style | on_a | on_b_0   | on_b_1   | on_b_2   | on_b_3
9    | 7    | high  | 0    | 0.028212 | 0.066165 | 0.346992 | 0.000000
9    | 7    | high  | 1    | 0.065394 | 0.140882 | 0.050154 | 0.000000
9    | 7    | high  | 2    | 0.059767 | 0.118627 | 0.034679 | 0.000000
9    | 7    | high  | 3    | 0.038783 | 0.050345 | 0.000000 | 0.000000
7    | 9    | high  | 0    | 0.028212 | 0.066165 | 0.060282 | 0.108505
7    | 9    | high  | 1    | 0.065394 | 0.140882 | 0.118184 | 0.012635
7    | 9    | high  | 2    | 0.137721 | 0.164480 | 0.097540 | 0.000000
""")


# 23.6: net damage of a style against a best response to it.
BEST_RESPONSES = _table("""
hp_a | hp_b | style | optimum  | style_as_a | style_as_b
9    | 7    | high  | 1.284470 | 1.146062   | 1.298201
9    | 7    | low   | 1.284470 | 0.885398   | 1.289461
9    | 7    | guard | 1.284470 | 0.774839   | 1.285227
7    | 9    | high  | 0.905628 | 0.577611   | 0.905628
7    | 9    | low   | 0.905628 | 0.593386   | 0.910010
7    | 9    | guard | 0.905628 | 0.510400   | 0.910229
9    | 9    | high  | 0.538845 | 0.443380   | 0.538845
9    | 9    | low   | 0.538845 | 0.450939   | 0.538845
9    | 9    | guard | 0.538845 | 0.226949   | 0.538845
7    | 7    | high  | 1.533970 | 1.196512   | 1.547701
7    | 7    | low   | 1.533970 | 0.934452   | 1.543343
7    | 7    | guard | 1.533970 | 0.987831   | 1.539328
""")


# 23.6: other exact values; fighters are (dice, hit, damage, HP now).
OTHER_MELEES = _table("""
initiator  | target      | net       | kill_difference | kill     | survive
3, 4, 4, 4 | 4, 4, 4, 7  | 0.872785  | -0.397491       | 0.222937 | 0.620428
4, 4, 4, 9 | 3, 4, 4, 3  | 2.342364  | 0.817419        | 0.825231 | 0.007812
4, 5, 4, 9 | 4, 4, 4, 7  | -1.029966 | 0.125916        | 0.280221 | 0.154305
4, 4, 4, 7 | 4, 4, 2, 9  | 2.908409  | 0.106714        | 0.123641 | 0.016927
5, 3, 4, 8 | 4, 4, 4, 10 | 5.385633  | 0.203364        | 0.396711 | 0.193347
""")


# 23.6: single positions, initiator 9 HP, target 7 HP; blows when the initiator leads.
POSITIONS = _table("""
initiator  | target     | net  | kill_difference
4,         | ()         | 0, 1 | 0, 1
()         | 4,         | 1, 0 | 1, 0
4,         | 5,         | 0, 0 | 0, 0
5,         | 5,         | 1, 1 | 1, 1
6,         | 6,         | 1, 1 | 1, 1
4,         | 4, 5       | 1, 0 | 1, 0
4, 5       | 5,         | 0, 1 | 0, 1
4, 5       | 4, 5       | 1, 1 | 1, 1
4, 6       | 5,         | 0, 1 | 0, 1
4, 6       | 5, 6       | 1, 1 | 1, 1
5, 5       | 5, 6       | 0, 0 | 0, 0
5, 6       | 4, 6       | 1, 1 | 1, 1
4, 4       | 5, 6       | 1, 1 | 1, 1
4, 4, 5    | 5, 6       | 1, 2 | 1, 2
4, 5       | 5, 6       | 1, 1 | 1, 1
4, 5, 6    | 4, 5, 5    | 0, 2 | 0, 2
4, 4, 5, 5 | 4, 5, 6, 6 | 1, 1 | 1, 1
4, 4, 4, 4 | 5, 5, 5, 5 | 3, 0 | 3, 0
5, 5, 5, 5 | 4, 4, 4, 4 | 0, 2 | 0, 2
4, 5, 5, 6 | 4, 5, 5, 6 | 2, 2 | 2, 2
6, 6, 6    | 6, 6, 6    | 0, 2 | 0, 2
4, 4, 4    | 6, 6, 6    | 2, 2 | 2, 2
""")


# 23.6: the first lead under best play for net damage (the counts of states in this table are not here: the atlas
# does not say which states it counts, and no reading tried gives them).
BEST_PLAY_LOOKS = _table("""
hp_a | hp_b | guard_possible | guard_strictly_best | highest_attack_best
9    | 7    | 0.481823       | 0.010042            | 0.921852
7    | 9    | 0.481823       | 0.021672            | 0.900994
9    | 9    | 0.481823       | 0.005105            | 0.927728
7    | 7    | 0.481823       | 0.025723            | 0.896462
""")


# 23.7: number of pools by (dice, hit).
POOL_COUNTS: dict[Any, Any] = {
    (4, 2): 126,
    (4, 3): 70,
    (4, 4): 35,
    (4, 5): 15,
    (5, 2): 252,
    (5, 3): 126,
    (5, 4): 56,
    (5, 5): 21,
}


# 23.7: mean damage of the reference rifle against 3 dice, and ratios to a plain shot.
ACTION_ECONOMY: dict[Any, Any] = {
    "shoot": "3.425783",
    "aimed": "4.788895",
    "aimed_ratio": "1.397898",
    "two_shoots": "6.851566",
    "overwatch": "2.413037",
    "overwatch_ratio": "0.704375",
    "injured": "2.274177",
    "injured_ratio": "0.663842",
    "cover_ratio": "0.761746",
    "cover_and_prone_ratio": "0.588147",
}


# 23.7: what a Prone die saves against the reference shot.
PRICE_OF_PRONE: dict[Any, Any] = {
    "open": "0.816206",
    "in_cover": "0.594713",
    "best_hits": "0.546296",
    "best_damage": "2.185185",
}
