"""What the program does: each module one task, from values to values; nothing here prints.

workspace   where the learner's files and the state are
files       writes files whole
stubs       gives out, takes back and restores the files that learners edit
grade       grades a folder
explain     says more of an exercise that failed, by the two below
name        which mistakes it is
trace       what each line makes, and which is the first to go wrong
benches     ways to call a learner's functions once more, for both
watch       grades as files are saved
batch       grades a cohort
doctor      what this machine has
"""
