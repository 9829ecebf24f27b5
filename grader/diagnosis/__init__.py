"""Why a result is wrong: which known mistakes reproduce it, what is peculiar about it, where it first goes astray."""
