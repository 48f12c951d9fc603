"""Systems from the files of other codes: URDF and MJCF."""
