"""Starts, limits and talks to the worker that runs the learner's code; reads submissions without trusting them.

submission   the learner's files, read as bytes, never followed, never parsed
places       which folders the worker may see
launch       the command lines, one for each isolation, strongest first
zygote       a running worker: forks a child for each exercise
child        one exercise being graded: load, call, end
"""
