"""Grades as files are saved. Nothing here knows of a terminal; whoever runs it is told what happens by an inbox.

inbox        what the other threads and the signals have to say, for one thread that waits
grading      the judge in a thread of its own, on one warm worker
events       that something in a folder has changed, which only makes one look
lesson       whether the lesson's own files have changed
state        what has been saved, what is known of it, and what has yet to be graded
"""
