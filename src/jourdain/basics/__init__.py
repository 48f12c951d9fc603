"""What everything stands on: errors, values that a user gives, poses, quaternions, files that survive a crash."""
