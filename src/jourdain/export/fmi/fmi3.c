/* FMI 3.0 around an exported model: model exchange and co-simulation. */
#include "core.h"
#include "directional_derivatives.h"

#include <stdbool.h>

#if defined(_WIN32)
#define API __declspec(dllexport)
#else
#define API __attribute__((visibility("default")))
#endif

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef uint32_t fmi3ValueReference;
typedef const char *fmi3String;
typedef const uint8_t *fmi3Binary;
typedef bool fmi3Boolean;
typedef bool fmi3Clock;
typedef float fmi3Float32;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef void (*Log)(void *, fmi3Status, fmi3String, fmi3String);
typedef void (*Update)(void *, double, bool, bool, bool, bool, bool *, double *);

typedef struct {
    Core core;
    Log log;
    void *environment;
} Instance;

#define CORE(instance) ((Core *)(instance))

static fmi3Status told(void *instance, int fine, const char *why)
{
    Instance *own = (Instance *)instance;
    if (fine)
        return fmi3OK;
    if (own->log != NULL)
        own->log(own->environment, fmi3Error, "logStatusError", why);
    return fmi3Error;
}

#define FMI(name) fmi3##name
#define FMI_TRUTH bool
#define FMI_DERIVATIVES fmi3GetContinuousStateDerivatives
#include "exchange.h"

API const char *fmi3GetVersion(void)
{
    return "3.0";
}

API fmi3Status fmi3SetDebugLogging(void *instance, bool on, size_t count, const fmi3String categories[])
{
    (void)instance, (void)on, (void)count, (void)categories;
    return fmi3OK;
}

static void *instantiated(fmi3String name, fmi3String token, int exchange, void *environment, Log log)
{
    Instance *own;
    Core *core;
    if (name == NULL || token == NULL || strcmp(token, FMU_TOKEN) != 0) {
        if (log != NULL)
            log(environment, fmi3Error, "logStatusError", "the instantiation token is not that of this model");
        return NULL;
    }
    core = (Core *)core_new(name, exchange);
    own = (Instance *)calloc(1, sizeof(Instance));
    if (core == NULL || own == NULL) {
        core_free(core);
        free(own);
        return NULL;
    }
    own->core = *core;
    free(core);
    own->log = log;
    own->environment = environment;
    return own;
}

API void *fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, bool visible,
    bool logging, void *environment, Log log)
{
    (void)resources, (void)visible, (void)logging;
    return FMU_EXCHANGE ? instantiated(name, token, 1, environment, log) : NULL;
}

API void *fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, bool visible,
    bool logging, bool events, bool early, const fmi3ValueReference needed[], size_t count, void *environment, Log log,
    Update update)
{
    (void)resources, (void)visible, (void)logging, (void)events, (void)early, (void)needed, (void)count, (void)update;
    return instantiated(name, token, 0, environment, log);
}

API void *fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources, bool visible,
    bool logging, void *environment, Log log, void *clock, void *lock, void *unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)environment, (void)log;
    (void)clock, (void)lock, (void)unlock;
    return NULL;
}

API void fmi3FreeInstance(void *instance)
{
    core_free(CORE(instance));
}

API fmi3Status fmi3EnterInitializationMode(void *instance, bool tolerant, double tolerance, double start, bool stops,
    double stop)
{
    Core *core = CORE(instance);
    (void)tolerant, (void)tolerance, (void)stops, (void)stop;
    core->mode = INITIALIZING;
    return told(instance, core_time(core, start), "the start time cannot be set");
}

API fmi3Status fmi3ExitInitializationMode(void *instance)
{
    CORE(instance)->mode = CORE(instance)->exchange ? EVENTS : STEPPING;
    return told(instance, core_begin(CORE(instance)), "the model cannot be evaluated at its start");
}

API fmi3Status fmi3Terminate(void *instance)
{
    CORE(instance)->mode = TERMINATED;
    return fmi3OK;
}

API fmi3Status fmi3Reset(void *instance)
{
    return told(instance, core_reset(CORE(instance)), "the model cannot be reset");
}

API fmi3Status fmi3GetFloat64(void *instance, const fmi3ValueReference references[], size_t count, double values[],
    size_t size)
{
    return told(instance, count == size && core_get(CORE(instance), references, count, values), "no such variable");
}

API fmi3Status fmi3SetFloat64(void *instance, const fmi3ValueReference references[], size_t count,
    const double values[], size_t size)
{
    return told(instance, count == size && core_set(CORE(instance), references, count, values),
        "a variable that cannot be set, or a value that is not a finite number");
}

/* There are variables of no other type. */
#define NONE(type)                                                                                                     \
    API fmi3Status fmi3Get##type(void *instance, const fmi3ValueReference references[], size_t count,                  \
        fmi3##type values[], size_t size)                                                                              \
    {                                                                                                                  \
        (void)references, (void)values;                                                                                \
        return told(instance, count == 0 && size == 0, "there is no variable of this type");                           \
    }                                                                                                                  \
    API fmi3Status fmi3Set##type(void *instance, const fmi3ValueReference references[], size_t count,                  \
        const fmi3##type values[], size_t size)                                                                        \
    {                                                                                                                  \
        (void)references, (void)values;                                                                                \
        return told(instance, count == 0 && size == 0, "there is no variable of this type");                           \
    }

NONE(Float32)
NONE(Int8)
NONE(UInt8)
NONE(Int16)
NONE(UInt16)
NONE(Int32)
NONE(UInt32)
NONE(Int64)
NONE(UInt64)
NONE(Boolean)
NONE(String)

API fmi3Status fmi3GetBinary(void *instance, const fmi3ValueReference references[], size_t count, size_t sizes[],
    fmi3Binary values[], size_t size)
{
    (void)references, (void)sizes, (void)values;
    return told(instance, count == 0 && size == 0, "there is no variable of this type");
}

API fmi3Status fmi3SetBinary(void *instance, const fmi3ValueReference references[], size_t count,
    const size_t sizes[], const fmi3Binary values[], size_t size)
{
    (void)references, (void)sizes, (void)values;
    return told(instance, count == 0 && size == 0, "there is no variable of this type");
}

API fmi3Status fmi3GetClock(void *instance, const fmi3ValueReference references[], size_t count, fmi3Clock values[])
{
    (void)references, (void)values;
    return told(instance, count == 0, "there are no clocks");
}

API fmi3Status fmi3SetClock(void *instance, const fmi3ValueReference references[], size_t count,
    const fmi3Clock values[])
{
    (void)references, (void)values;
    return told(instance, count == 0, "there are no clocks");
}

API fmi3Status fmi3GetNumberOfVariableDependencies(void *instance, fmi3ValueReference reference, size_t *count)
{
    (void)reference, (void)count;
    return told(instance, 0, "dependencies do not change; they are in modelDescription.xml");
}

API fmi3Status fmi3GetVariableDependencies(void *instance, fmi3ValueReference dependent, size_t rows[],
    fmi3ValueReference independents[], size_t columns[], int kinds[], size_t count)
{
    (void)dependent, (void)rows, (void)independents, (void)columns, (void)kinds, (void)count;
    return told(instance, 0, "dependencies do not change; they are in modelDescription.xml");
}

#define FMI_STATE(before, after) fmi3##before##FMUState##after
#define FMI_DESERIALIZE fmi3DeserializeFMUState
#define FMI_BYTE uint8_t
#include "fmu_state.h"

API fmi3Status fmi3GetDirectionalDerivative(void *instance, const fmi3ValueReference unknowns[], size_t rows,
    const fmi3ValueReference knowns[], size_t columns, const double seed[], size_t seeds, double out[], size_t size)
{
    int fine = seeds == columns && size == rows;
    return told(instance, fine && core_slope(CORE(instance), unknowns, rows, knowns, columns, seed, out),
        "derivatives are of outputs and state derivatives by states and inputs");
}

API fmi3Status fmi3GetAdjointDerivative(void *instance, const fmi3ValueReference unknowns[], size_t rows,
    const fmi3ValueReference knowns[], size_t columns, const double seed[], size_t seeds, double out[], size_t size)
{
    int fine = seeds == rows && size == columns;
    return told(instance, fine && core_adjoint(CORE(instance), unknowns, rows, knowns, columns, seed, out),
        "derivatives are of outputs and state derivatives by states and inputs");
}

API fmi3Status fmi3EnterConfigurationMode(void *instance)
{
    return told(instance, 0, "there is nothing to configure");
}

API fmi3Status fmi3ExitConfigurationMode(void *instance)
{
    return told(instance, 0, "there is nothing to configure");
}

#define CLOCKS(name, ...)                                                                                              \
    API fmi3Status fmi3##name(void *instance, const fmi3ValueReference references[], size_t count, __VA_ARGS__)        \
    {                                                                                                                  \
        (void)references, (void)a, (void)b, (void)c;                                                                   \
        return told(instance, count == 0, "there are no clocks");                                                      \
    }

CLOCKS(GetIntervalDecimal, void *a, void *b, void *c)
CLOCKS(GetIntervalFraction, void *a, void *b, void *c)
CLOCKS(GetShiftDecimal, void *a, void *b, void *c)
CLOCKS(GetShiftFraction, void *a, void *b, void *c)
CLOCKS(SetIntervalDecimal, void *a, void *b, void *c)
CLOCKS(SetIntervalFraction, void *a, void *b, void *c)
CLOCKS(SetShiftDecimal, void *a, void *b, void *c)
CLOCKS(SetShiftFraction, void *a, void *b, void *c)

API fmi3Status fmi3EvaluateDiscreteStates(void *instance)
{
    (void)instance;
    return fmi3OK;
}

API fmi3Status fmi3UpdateDiscreteStates(void *instance, bool *again, bool *terminate, bool *nominals, bool *values,
    bool *timed, double *next)
{
    Core *core = CORE(instance);
    int happens = core->exchange && jd_changes(core->model) > 0;
    *again = *terminate = *nominals = *timed = false;
    *next = 0.0;
    *values = happens != 0;
    core_moved(core);
    return told(instance, !happens || jd_accept(core->model, 1) == JD_OK, "contacts cannot be brought up to date");
}

API fmi3Status fmi3GetNumberOfEventIndicators(void *instance, size_t *count)
{
    (void)instance;
    *count = FMU_INDICATORS;
    return fmi3OK;
}

API fmi3Status fmi3GetNumberOfContinuousStates(void *instance, size_t *count)
{
    (void)instance;
    *count = STATES;
    return fmi3OK;
}

API fmi3Status fmi3EnterStepMode(void *instance)
{
    CORE(instance)->mode = STEPPING;
    return fmi3OK;
}

API fmi3Status fmi3GetOutputDerivatives(void *instance, const fmi3ValueReference references[], size_t count,
    const int32_t orders[], double values[], size_t size)
{
    (void)references, (void)orders, (void)values;
    return told(instance, count == 0 && size == 0, "there are no derivatives of outputs by time");
}

API fmi3Status fmi3DoStep(void *instance, double time, double step, bool final, bool *event, bool *terminate,
    bool *early, double *last)
{
    int how = core_step(CORE(instance), time, step);
    (void)final;
    *event = *early = false;
    *terminate = how == 2;
    *last = CORE(instance)->time;
    return told(instance, how == 0,
        how == 1 ? "a communication step must be a whole number of the model's steps, one behind the other"
                 : "the run cannot go on: a number is not finite, constraints are open, or shapes are too deep");
}

API fmi3Status fmi3ActivateModelPartition(void *instance, fmi3ValueReference clock, double time)
{
    (void)clock, (void)time;
    return told(instance, 0, "there are no partitions");
}
