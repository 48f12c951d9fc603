/* FMI 2.0 around an exported model: model exchange and co-simulation. */
#include "core.h"
#include "directional_derivatives.h"

#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char *fmi2String;

typedef struct {
    void (*logger)(void *, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(void *, fmi2Status);
    void *componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
    fmi2Boolean newDiscreteStatesNeeded;
    fmi2Boolean terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

typedef struct {
    Core core;
    const fmi2CallbackFunctions *functions;
} Component;

#define CORE(c) ((Core *)(c))

static fmi2Status told(void *c, int fine, const char *why)
{
    const fmi2CallbackFunctions *functions = ((Component *)c)->functions;
    if (fine)
        return fmi2OK;
    if (functions != NULL && functions->logger != NULL)
        functions->logger(functions->componentEnvironment, CORE(c)->name, fmi2Error, "logStatusError", "%s", why);
    return fmi2Error;
}

#define FMI(name) fmi2##name
#define FMI_TRUTH fmi2Boolean
#define FMI_DERIVATIVES fmi2GetDerivatives
#include "exchange.h"

API const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

API const char *fmi2GetVersion(void)
{
    return "2.0";
}

API fmi2Status fmi2SetDebugLogging(void *c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    (void)c, (void)on, (void)count, (void)categories;
    return fmi2OK;
}

API void *fmi2Instantiate(fmi2String name, int type, fmi2String guid, fmi2String resources,
    const fmi2CallbackFunctions *functions, fmi2Boolean visible, fmi2Boolean logging)
{
    Component *own;
    Core *core;
    (void)resources, (void)visible, (void)logging;
    if (name == NULL || guid == NULL || strcmp(guid, FMU_TOKEN) != 0 || (type == 0 && !FMU_EXCHANGE)) {
        if (functions != NULL && functions->logger != NULL)
            functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                "the GUID is not that of this model, or it has no model exchange");
        return NULL;
    }
    core = (Core *)core_new(name, type == 0);
    own = (Component *)calloc(1, sizeof(Component));
    if (core == NULL || own == NULL) {
        core_free(core);
        free(own);
        return NULL;
    }
    own->core = *core;
    free(core);
    own->functions = functions;
    return own;
}

API void fmi2FreeInstance(void *c)
{
    core_free(CORE(c));
}

API fmi2Status fmi2SetupExperiment(void *c, fmi2Boolean tolerant, fmi2Real tolerance, fmi2Real start,
    fmi2Boolean stops, fmi2Real stop)
{
    (void)tolerant, (void)tolerance, (void)stops, (void)stop;
    return told(c, core_time(CORE(c), start), "the start time cannot be set");
}

API fmi2Status fmi2EnterInitializationMode(void *c)
{
    CORE(c)->mode = INITIALIZING;
    return fmi2OK;
}

API fmi2Status fmi2ExitInitializationMode(void *c)
{
    CORE(c)->mode = CORE(c)->exchange ? EVENTS : STEPPING;
    return told(c, core_begin(CORE(c)), "the model cannot be evaluated at its start");
}

API fmi2Status fmi2Terminate(void *c)
{
    CORE(c)->mode = TERMINATED;
    return fmi2OK;
}

API fmi2Status fmi2Reset(void *c)
{
    return told(c, core_reset(CORE(c)), "the model cannot be reset");
}

API fmi2Status fmi2GetReal(void *c, const fmi2ValueReference references[], size_t count, fmi2Real values[])
{
    return told(c, core_get(CORE(c), references, count, values), "no such variable");
}

API fmi2Status fmi2SetReal(void *c, const fmi2ValueReference references[], size_t count, const fmi2Real values[])
{
    return told(c, core_set(CORE(c), references, count, values),
        "a variable that cannot be set, or a value that is not a finite number");
}

/* There are variables of no other type. */
#define NONE(type)                                                                                                     \
    API fmi2Status fmi2Get##type(void *c, const fmi2ValueReference references[], size_t count, fmi2##type values[])    \
    {                                                                                                                  \
        (void)references, (void)values;                                                                                \
        return told(c, count == 0, "there is no variable of this type");                                               \
    }                                                                                                                  \
    API fmi2Status fmi2Set##type(                                                                                      \
        void *c, const fmi2ValueReference references[], size_t count, const fmi2##type values[])                       \
    {                                                                                                                  \
        (void)references, (void)values;                                                                                \
        return told(c, count == 0, "there is no variable of this type");                                               \
    }

NONE(Integer)
NONE(Boolean)
NONE(String)

#define FMI_STATE(before, after) fmi2##before##FMUstate##after
#define FMI_DESERIALIZE fmi2DeSerializeFMUstate
#define FMI_BYTE char
#include "fmu_state.h"

API fmi2Status fmi2GetDirectionalDerivative(void *c, const fmi2ValueReference unknowns[], size_t rows,
    const fmi2ValueReference knowns[], size_t columns, const fmi2Real seed[], fmi2Real out[])
{
    return told(c, core_slope(CORE(c), unknowns, rows, knowns, columns, seed, out),
        "derivatives are of outputs and state derivatives by states and inputs");
}

API fmi2Status fmi2NewDiscreteStates(void *c, fmi2EventInfo *info)
{
    Core *core = CORE(c);
    int happens = core->exchange && jd_changes(core->model) > 0;
    memset(info, 0, sizeof *info);
    info->valuesOfContinuousStatesChanged = happens;
    core_moved(core);
    return told(c, !happens || jd_accept(core->model, 1) == JD_OK, "contacts cannot be brought up to date");
}

API fmi2Status fmi2SetRealInputDerivatives(void *c, const fmi2ValueReference references[], size_t count,
    const fmi2Integer orders[], const fmi2Real values[])
{
    (void)references, (void)orders, (void)values;
    return told(c, count == 0, "inputs hold within a step");
}

API fmi2Status fmi2GetRealOutputDerivatives(void *c, const fmi2ValueReference references[], size_t count,
    const fmi2Integer orders[], fmi2Real values[])
{
    (void)references, (void)orders, (void)values;
    return told(c, count == 0, "there are no derivatives of outputs by time");
}

API fmi2Status fmi2DoStep(void *c, fmi2Real time, fmi2Real step, fmi2Boolean final)
{
    int how = core_step(CORE(c), time, step);
    (void)final;
    return told(c, how == 0,
        how == 1 ? "a communication step must be a whole number of the model's steps, one behind the other"
                 : "the run cannot go on: a number is not finite, constraints are open, or shapes are too deep");
}

API fmi2Status fmi2CancelStep(void *c)
{
    return told(c, 0, "steps are done when they return");
}

#define STATUS(name, type)                                                                                             \
    API fmi2Status fmi2Get##name(void *c, int kind, type *value)                                                       \
    {                                                                                                                  \
        (void)kind, (void)value;                                                                                       \
        return told(c, 0, "steps are done when they return");                                                          \
    }

STATUS(Status, fmi2Status)
STATUS(IntegerStatus, fmi2Integer)
STATUS(BooleanStatus, fmi2Boolean)
STATUS(StringStatus, fmi2String)

API fmi2Status fmi2GetRealStatus(void *c, int kind, fmi2Real *value)
{
    *value = CORE(c)->time;
    return told(c, kind == 2, "there is no such status");
}
