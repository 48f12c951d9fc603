/* What both versions of FMI share: an instance of the model, and how its variables are read and written.

   A value reference below JD_VARIABLES is an index of the model; from there on come the derivatives of the continuous
   states, which are q, v and the integrated internal states, in this order, and last the event indicators. */
#include "model.h"
#include "fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATES (JD_NQ + JD_NV + JD_NX)
#define DERIVATIVE JD_VARIABLES
#define REFERENCES (JD_VARIABLES + STATES)

enum { INSTANTIATED, INITIALIZING, EVENTS, CONTINUOUS, STEPPING, TERMINATED };

typedef struct {
    void *model;      /* the instance of the exported model */
    double *rates;    /* derivatives of the states */
    int rates_old;    /* whether these are to be computed again */
    double *partials;   /* derivatives of the right-hand side; NULL until they are asked for */
    int partials_old;
    int exchange;     /* 1 for model exchange, 0 for co-simulation */
    int mode;
    double time;
    char *name;
} Core;

/* The state, the time or an input is another one. */
static void core_moved(Core *core)
{
    core->rates_old = 1;
    core->partials_old = 1;
}

static void *core_new(const char *name, int exchange)
{
    Core *core = (Core *)calloc(1, sizeof(Core));
    if (core == NULL)
        return NULL;
    core->model = calloc(1, (size_t)jd_size());
    core->rates = (double *)calloc(STATES + 1, sizeof(double));
    core->name = (char *)calloc(strlen(name) + 1, 1);
    if (core->model == NULL || core->rates == NULL || core->name == NULL || jd_init(core->model) != JD_OK) {
        free(core->model);
        free(core->rates);
        free(core->name);
        free(core);
        return NULL;
    }
    strcpy(core->name, name);
    core->exchange = exchange;
    core_moved(core);
    core->time = jd_get(core->model, JD_TIME);
    return core;
}

static void core_free(Core *core)
{
    if (core == NULL)
        return;
    free(core->model);
    free(core->rates);
    free(core->partials);
    free(core->name);
    free(core);
}

static int core_reset(Core *core)
{
    core->mode = INSTANTIATED;
    core_moved(core);
    if (jd_init(core->model) != JD_OK)
        return 0;
    core->time = jd_get(core->model, JD_TIME);
    return 1;
}

static int core_rates(Core *core)
{
    if (core->rates_old) {
        double *d = core->rates;
        double t = jd_get(core->model, JD_TIME);
        if (jd_rates(core->model, t, NULL, NULL, NULL, d, d + JD_NQ, d + JD_NQ + JD_NV) != JD_OK)
            return 0;
        core->rates_old = 0;
    }
    return 1;
}

/* Event indicators: of each contact how far it is from beginning or ending, of each stop how far the coordinate is
   from it, FMU_STOPS having rows of {coordinate, side, limit}. */
static int core_indicators(Core *core, double *out)
{
    int i;
#if FMU_CONTACTS
    if (jd_indicators(core->model, out) != JD_OK)
        return 0;
#endif
    for (i = FMU_CONTACTS; i < FMU_INDICATORS; i++) {
        const double *stop = FMU_STOPS[i - FMU_CONTACTS];
        out[i] = stop[1] * (stop[2] - jd_get(core->model, JD_Q + (int32_t)stop[0]));
    }
    return 1;
}

static int core_get(Core *core, const unsigned *references, size_t count, double *values)
{
    size_t i;
    for (i = 0; i < count; i++) {
        unsigned r = references[i];
        if (r < JD_VARIABLES) {
            values[i] = jd_get(core->model, (int32_t)r);
        } else if (r < REFERENCES) {
            if (!core_rates(core))
                return 0;
            values[i] = core->rates[r - DERIVATIVE];
        } else if (r < REFERENCES + FMU_INDICATORS) {
            double all[FMU_INDICATORS + 1];
            if (!core_indicators(core, all))
                return 0;
            values[i] = all[r - REFERENCES];
        } else {
            return 0;
        }
    }
    return 1;
}

static int core_set(Core *core, const unsigned *references, size_t count, const double *values)
{
    size_t i;
    for (i = 0; i < count; i++) {
        if (references[i] >= JD_VARIABLES)
            return 0;
        if (jd_set(core->model, (int32_t)references[i], values[i]) != JD_OK)
            return 0;
    }
    core_moved(core);
    return 1;
}

static int core_states(Core *core, double *x, size_t count)
{
    if (count != STATES)
        return 0;
    return jd_state(core->model, x, x + JD_NQ, x + JD_NQ + JD_NV) == JD_OK;
}

static int core_put(Core *core, const double *x, size_t count)
{
    size_t i;
    if (count != STATES)
        return 0;
    for (i = 0; i < count; i++)
        if (!(fabs(x[i]) < HUGE_VAL))
            return 0;
    core_moved(core);
    return jd_put(core->model, core->time, x, x + JD_NQ, x + JD_NQ + JD_NV) == JD_OK;
}

static int core_time(Core *core, double t)
{
    core->time = t;
    core_moved(core);
    return jd_put(core->model, t, NULL, NULL, NULL) == JD_OK;
}

/* The run begins at a time: contacts and digital controllers look at the state. */
static int core_begin(Core *core)
{
    if (jd_start(core->model, core->time, NULL, NULL, NULL) != JD_OK)
        return 0;
    return jd_get(core->model, JD_OUTPUT) == jd_get(core->model, JD_OUTPUT);
}

/* A kept state is the time, how far the instance had come, and its memory. */
#define KEPT (2 * sizeof(double) + (size_t)jd_size())

static void *core_keep(Core *core, void *kept)
{
    double head[2];
    if (kept == NULL)
        kept = calloc(1, KEPT);
    if (kept != NULL) {
        head[0] = core->time;
        head[1] = (double)core->mode;
        memcpy(kept, head, sizeof head);
        memcpy((char *)kept + sizeof head, core->model, (size_t)jd_size());
    }
    return kept;
}

static int core_return(Core *core, const void *kept)
{
    double head[2];
    void *aligned = malloc((size_t)jd_size());
    int fine;
    if (aligned == NULL)
        return 0;
    memcpy(head, kept, sizeof head);
    memcpy(aligned, (const char *)kept + sizeof head, (size_t)jd_size());
    fine = jd_copy(core->model, aligned) == JD_OK;
    free(aligned);
    if (fine) {
        core->time = head[0];
        core->mode = (int)head[1];
        core_moved(core);
    }
    return fine;
}

/* Steps of the method over a communication step: 0 where it is done, 1 where it is no whole number of them, 2 where the
   run cannot go on. */
static int core_step(Core *core, double t, double h)
{
    double steps = floor(h / JD_STEP + 0.5);
    if (!(fabs(steps * JD_STEP - h) <= 1e-6 * JD_STEP) || !(fabs(t - core->time) <= 1e-6 * JD_STEP))
        return 1;
    core_moved(core);
    if (jd_step(core->model, NULL, (int64_t)steps) != JD_OK)
        return 2;
    core->time = jd_get(core->model, JD_TIME);
    return 0;
}
