from tests.sweep.small_squad import asked, exact, folder, sampled

__all__ = ["asked", "exact", "folder", "sampled"]
