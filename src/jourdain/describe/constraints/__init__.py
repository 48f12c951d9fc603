"""Constraints as a user describes them: joints that close loops, rods, rolling, knife edges and couplings.

`connections` and `couplings` say what they are, `checks` what is wrong with them, `lay` lays them flat for the kernels,
`service` is `model.constraints`, `mobility` counts and `assembly` closes.
"""
