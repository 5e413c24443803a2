"""What a collection says, as pictures, tables and one page. Knows frames; knows no ruleset."""
