"""What the program does: each module one task, from values to values; nothing here prints.

workspace   where the learner's files and the state are
grade       grades a folder
stubs       gives out, takes back and restores the files that learners edit
diagnose    what this machine has, for ``grade doctor``
"""
