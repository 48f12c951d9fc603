/* A servo drive as an FMU that knows nothing of Jourdain, for tests: FMI 2.0 or 3.0 by -DFMI=2 or -DFMI=3.

   inputs      1 angle [rad], 2 rate [rad/s]
   outputs     3 torque = k gear i, 4 pd = kp (ref - angle) - kd rate, which passes straight through
   state       5 i, with L di/dt = pd - R i (its derivative is 6)
   parameters  7 kp, 8 kd, 9 R, 10 L, 11 k, 12 ref, 13 level; 20 gear (integer), 21 on (boolean)
   event       where the angle rises or falls through level: ref changes its sign and i becomes 0

   With on = false it gives no torque. In co-simulation di/dt is integrated by 16 Heun steps a communication step. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double real[14];
    int gear, on, failing;
    double time;
} Servo;

static double volts(const Servo *s)
{
    return s->real[7] * (s->real[12] - s->real[1]) - s->real[8] * s->real[2];
}

static double rate(const Servo *s, double i)
{
    return (volts(s) - s->real[9] * i) / s->real[10];
}

static Servo *made(const char *token)
{
    const double start[14] = {0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 0.1, 0.5, 1, 1e9};
    Servo *s;
    if (strcmp(token, "servo-token") != 0 || (s = calloc(1, sizeof *s)) == NULL)
        return NULL;
    memcpy(s->real, start, sizeof start);
    s->gear = 3;
    s->on = 1;
    return s;
}

static int get_real(const Servo *s, const unsigned *r, size_t n, double *y)
{
    for (size_t k = 0; k < n; k++) {
        if (r[k] == 3)
            y[k] = s->on ? s->real[11] * s->gear * s->real[5] : 0.0;
        else if (r[k] == 4)
            y[k] = volts(s);
        else if (r[k] == 6)
            y[k] = rate(s, s->real[5]);
        else if (r[k] < 14)
            y[k] = s->real[r[k]];
        else
            return 3;
    }
    return 0;
}

static int set_real(Servo *s, const unsigned *r, size_t n, const double *y)
{
    for (size_t k = 0; k < n; k++) {
        if (r[k] >= 14 || r[k] == 3 || r[k] == 4 || r[k] == 6)
            return 3;
        s->real[r[k]] = y[k];
    }
    return 0;
}

static int step(Servo *s, double h)
{
    if (s->time > s->real[13] + 1e8) /* level below -1e8: fails at once, for tests of errors */
        return 3;
    for (int k = 0; k < 16; k++) {
        double a = rate(s, s->real[5]), b = rate(s, s->real[5] + h / 16 * a);
        s->real[5] += h / 32 * (a + b);
    }
    s->time += h;
    return 0;
}

static void happened(Servo *s)
{
    s->real[12] = -s->real[12];
    s->real[5] = 0.0;
}

#if FMI == 2
#define F(name) fmi2##name
typedef int Flag;
typedef struct { int again, terminate, nominals, values, timed; double next; } Info;

void *F(Instantiate)(const char *name, int type, const char *token, const char *resources, const void *functions,
    int visible, int logging) { (void)name, (void)type, (void)resources, (void)functions, (void)visible, (void)logging;
    return made(token); }
int F(SetupExperiment)(void *s, int a, double b, double start, int c, double d)
{ (void)a, (void)b, (void)c, (void)d; ((Servo *)s)->time = start; return 0; }
int F(EnterInitializationMode)(void *s) { (void)s; return 0; }
int F(GetReal)(void *s, const unsigned *r, size_t n, double *y) { return get_real(s, r, n, y); }
int F(SetReal)(void *s, const unsigned *r, size_t n, const double *y) { return set_real(s, r, n, y); }
int F(SetInteger)(void *s, const unsigned *r, size_t n, const int *y)
{ if (n != 1 || r[0] != 20) return 3; ((Servo *)s)->gear = y[0]; return 0; }
int F(SetBoolean)(void *s, const unsigned *r, size_t n, const int *y)
{ if (n != 1 || r[0] != 21) return 3; ((Servo *)s)->on = y[0]; return 0; }
int F(NewDiscreteStates)(void *s, Info *info)
{ memset(info, 0, sizeof *info); if (((Servo *)s)->failing) { happened(s); info->values = 1; ((Servo *)s)->failing = 0; }
  return 0; }
int F(CompletedIntegratorStep)(void *s, int a, int *event, int *end) { (void)s, (void)a; *event = *end = 0; return 0; }
int F(DoStep)(void *s, double t, double h, int a) { (void)t, (void)a; return step(s, h); }
int F(GetDerivatives)(void *s, double *x, size_t n) { (void)n; x[0] = rate(s, ((Servo *)s)->real[5]); return 0; }
int F(GetFMUstate)(void *s, void **k) { if (*k == NULL) *k = malloc(sizeof(Servo)); memcpy(*k, s, sizeof(Servo)); return 0; }
int F(SetFMUstate)(void *s, void *k) { memcpy(s, k, sizeof(Servo)); return 0; }
int F(FreeFMUstate)(void *s, void **k) { (void)s; free(*k); *k = NULL; return 0; }
#else
#define F(name) fmi3##name
typedef bool Flag;

void *F(InstantiateModelExchange)(const char *name, const char *token, const char *r, bool a, bool b, void *e, void *l)
{ (void)name, (void)r, (void)a, (void)b, (void)e, (void)l; return made(token); }
void *F(InstantiateCoSimulation)(const char *name, const char *token, const char *r, bool a, bool b, bool c, bool d,
    const unsigned *v, size_t n, void *e, void *l, void *u)
{ (void)name, (void)r, (void)a, (void)b, (void)c, (void)d, (void)v, (void)n, (void)e, (void)l, (void)u; return made(token); }
int F(EnterInitializationMode)(void *s, bool a, double b, double start, bool c, double d)
{ (void)a, (void)b, (void)c, (void)d; ((Servo *)s)->time = start; return 0; }
int F(GetFloat64)(void *s, const unsigned *r, size_t n, double *y, size_t m) { return n == m ? get_real(s, r, n, y) : 3; }
int F(SetFloat64)(void *s, const unsigned *r, size_t n, const double *y, size_t m) { return n == m ? set_real(s, r, n, y) : 3; }
int F(SetInt32)(void *s, const unsigned *r, size_t n, const int32_t *y, size_t m)
{ if (n != 1 || m != 1 || r[0] != 20) return 3; ((Servo *)s)->gear = y[0]; return 0; }
int F(SetBoolean)(void *s, const unsigned *r, size_t n, const bool *y, size_t m)
{ if (n != 1 || m != 1 || r[0] != 21) return 3; ((Servo *)s)->on = y[0]; return 0; }
int F(UpdateDiscreteStates)(void *s, bool *again, bool *end, bool *nominals, bool *values, bool *timed, double *next)
{ *again = *end = *nominals = *values = *timed = false; *next = 0.0;
  if (((Servo *)s)->failing) { happened(s); *values = true; ((Servo *)s)->failing = 0; } return 0; }
int F(CompletedIntegratorStep)(void *s, bool a, bool *event, bool *end) { (void)s, (void)a; *event = *end = false; return 0; }
int F(DoStep)(void *s, double t, double h, bool a, bool *event, bool *end, bool *early, double *last)
{ (void)a; *event = *end = *early = false; *last = t + h; return step(s, h); }
int F(GetContinuousStateDerivatives)(void *s, double *x, size_t n) { (void)n; x[0] = rate(s, ((Servo *)s)->real[5]); return 0; }
int F(GetFMUState)(void *s, void **k) { if (*k == NULL) *k = malloc(sizeof(Servo)); memcpy(*k, s, sizeof(Servo)); return 0; }
int F(SetFMUState)(void *s, void *k) { memcpy(s, k, sizeof(Servo)); return 0; }
int F(FreeFMUState)(void *s, void **k) { (void)s; free(*k); *k = NULL; return 0; }
#endif

const char *F(GetVersion)(void) { return FMI == 2 ? "2.0" : "3.0"; }
void F(FreeInstance)(void *s) { free(s); }
int F(Terminate)(void *s) { (void)s; return 0; }
int F(ExitInitializationMode)(void *s) { (void)s; return 0; }
int F(EnterEventMode)(void *s) { ((Servo *)s)->failing = 1; return 0; }
int F(EnterContinuousTimeMode)(void *s) { (void)s; return 0; }
int F(SetTime)(void *s, double t) { ((Servo *)s)->time = t; return 0; }
int F(SetContinuousStates)(void *s, const double *x, size_t n) { (void)n; ((Servo *)s)->real[5] = x[0]; return 0; }
int F(GetContinuousStates)(void *s, double *x, size_t n) { (void)n; x[0] = ((Servo *)s)->real[5]; return 0; }
int F(GetEventIndicators)(void *s, double *x, size_t n)
{ if (n == 1) x[0] = ((Servo *)s)->real[1] - ((Servo *)s)->real[13]; return 0; }
