"""The public verbs, one file each. `morsdei_sim.shoot` is `morsdei_sim.api.shoot.shoot`, loaded when first used."""
