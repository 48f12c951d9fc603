/* What FMI 2 and FMI 3 ask of model exchange in the same way but for the names.
 * Before it is included: FMI(name) puts the version before a name, FMI_TRUTH is the version's Boolean,
 * FMI_DERIVATIVES its name for the derivatives, CORE and `told` are there. */
#define FMI_STATUS FMI(Status)

API FMI_STATUS FMI(EnterEventMode)(void *c)
{
    CORE(c)->mode = EVENTS;
    return FMI(OK);
}

API FMI_STATUS FMI(EnterContinuousTimeMode)(void *c)
{
    CORE(c)->mode = CONTINUOUS;
    return FMI(OK);
}

API FMI_STATUS FMI(CompletedIntegratorStep)(void *c, FMI_TRUTH final, FMI_TRUTH *event, FMI_TRUTH *terminate)
{
    Core *core = CORE(c);
    (void)final;
    *event = jd_changes(core->model) > 0;
    *terminate = 0;
    core_moved(core);
    return told(c, *event || jd_accept(core->model, 0) == JD_OK, "the step cannot be accepted");
}

API FMI_STATUS FMI(SetTime)(void *c, double time)
{
    return told(c, core_time(CORE(c), time), "the time cannot be set");
}

API FMI_STATUS FMI(SetContinuousStates)(void *c, const double states[], size_t count)
{
    return told(c, core_put(CORE(c), states, count), "the states are not finite numbers");
}

API FMI_STATUS FMI(GetContinuousStates)(void *c, double out[], size_t count)
{
    return told(c, core_states(CORE(c), out, count), "no such number of states");
}

API FMI_STATUS FMI_DERIVATIVES(void *c, double out[], size_t count)
{
    Core *core = CORE(c);
    int fine = count == STATES && core_rates(core);
    if (fine)
        memcpy(out, core->rates, count * sizeof(double));
    return told(c, fine, "the model cannot be evaluated");
}

API FMI_STATUS FMI(GetEventIndicators)(void *c, double out[], size_t count)
{
    return told(c, count == FMU_INDICATORS && core_indicators(CORE(c), out), "no such number of event indicators");
}

API FMI_STATUS FMI(GetNominalsOfContinuousStates)(void *c, double out[], size_t count)
{
    size_t i;
    for (i = 0; i < count; i++)
        out[i] = 1.0;
    return told(c, count == STATES, "no such number of states");
}
