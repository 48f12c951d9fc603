/* How FMI 2 and FMI 3 keep a state and go back to it: the same but for the names.
 * Before it is included, beside what "exchange.h" asks: FMI_STATE(before, after) puts the version's words about a kept
 * state between two others, FMI_DESERIALIZE is its name for reading one, FMI_BYTE its type of bytes. */
API FMI_STATUS FMI_STATE(Get, )(void *c, void **kept)
{
    *kept = core_keep(CORE(c), *kept);
    return told(c, *kept != NULL, "no memory for a state");
}

API FMI_STATUS FMI_STATE(Set, )(void *c, void *kept)
{
    return told(c, kept != NULL && core_return(CORE(c), kept), "this is no state of this model");
}

API FMI_STATUS FMI_STATE(Free, )(void *c, void **kept)
{
    (void)c;
    free(*kept);
    *kept = NULL;
    return FMI(OK);
}

API FMI_STATUS FMI_STATE(Serialized, Size)(void *c, void *kept, size_t *size)
{
    (void)c, (void)kept;
    *size = KEPT;
    return FMI(OK);
}

API FMI_STATUS FMI_STATE(Serialize, )(void *c, void *kept, FMI_BYTE bytes[], size_t size)
{
    if (kept != NULL && size >= KEPT)
        memcpy(bytes, kept, KEPT);
    return told(c, kept != NULL && size >= KEPT, "no room for the state");
}

API FMI_STATUS FMI_DESERIALIZE(void *c, const FMI_BYTE bytes[], size_t size, void **kept)
{
    if (size != KEPT)
        return told(c, 0, "this is no state of this model");
    if (*kept == NULL)
        *kept = calloc(1, KEPT);
    if (*kept != NULL)
        memcpy(*kept, bytes, KEPT);
    return told(c, *kept != NULL, "no memory for a state");
}
