/* Directional and adjoint derivatives: from the model's formulas where there are any, else by central differences.

   fmu.h has FMU_PARTIALS (whether jd_partials is there), FMU_LATCHED (states that are not integrated), and two tables, of
   inputs and of outputs, each of {kind, where, part}: an effort on an entry of v or a wrench on a marker; an
   acceleration, or a number of the motion of a marker (the `where`th with rows in jd_partials), or the length of three. */
enum { OTHER, EFFORT, WRENCH, ACCELERATION, MOTION, LENGTH };

#define ROWS (STATES + 13 * FMU_MARKERS)
#define COLUMNS (STATES + JD_NV)

/* Number of a continuous state by its reference, -1 where it is none. */
static int state_of(unsigned r)
{
    if (r >= JD_Q && r < JD_Z)
        return (int)(r - JD_Q);
    if (r >= JD_Z + FMU_LATCHED && r < JD_INPUT)
        return (int)(r - JD_Z - FMU_LATCHED) + JD_NQ + JD_NV;
    return -1;
}

#ifndef FMU_PARTIALS
#error "fmu.h defines no FMU_PARTIALS"
#endif

#if FMU_PARTIALS
static int core_matrix(Core *core)
{
    if (core->partials == NULL)
        core->partials = (double *)calloc((size_t)ROWS * COLUMNS, sizeof(double));
    if (core->partials == NULL)
        return 0;
    if (core->partials_old && jd_partials(core->model, core->partials) != JD_OK)
        return 0;
    core->partials_old = 0;
    return 1;
}

static int input_kind(unsigned r)
{
    return r >= JD_INPUT && r < JD_OUTPUT ? FMU_INPUTS[r - JD_INPUT][0] : OTHER;
}

/* Adds `by` times column r to x (COLUMNS numbers); 0 where there is no formula. With `read` it goes the other way: the
   product of the column with x. */
static int column_of(Core *core, unsigned r, double by, double *x, double *read)
{
    int k, s = state_of(r);
    double total = 0.0;
    if (s >= 0) {
        x[s] += by;
        total = x[s];
    } else if (input_kind(r) == EFFORT) {
        x[STATES + FMU_INPUTS[r - JD_INPUT][1]] += by;
        total = x[STATES + FMU_INPUTS[r - JD_INPUT][1]];
    } else if (input_kind(r) == WRENCH) {
        const int *told = FMU_INPUTS[r - JD_INPUT];
        double q[JD_NQ + 1], jacobian[6 * JD_NV + 1];
        if (jd_state(core->model, q, NULL, NULL) != JD_OK || jd_jacobian(core->model, told[1], q, jacobian) != JD_OK)
            return 0;
        for (k = 0; k < JD_NV; k++) {
            x[STATES + k] += by * jacobian[told[2] * JD_NV + k];
            total += x[STATES + k] * jacobian[told[2] * JD_NV + k];
        }
    } else {
        return 0;
    }
    if (read != NULL)
        *read = total;
    return 1;
}

/* Derivative of the unknown of reference r by all columns, into row (COLUMNS numbers); 0 where there is no formula. */
static int row_of(Core *core, unsigned r, double *row)
{
    int i, k, s = r >= DERIVATIVE && r < REFERENCES ? (int)(r - DERIVATIVE) : -1;
    memset(row, 0, COLUMNS * sizeof(double));
    if (state_of(r) >= 0) {
        row[state_of(r)] = 1.0;
        return 1;
    }
    if (r >= JD_OUTPUT && r < JD_VARIABLES) {
        const int *told = FMU_OUTPUTS[r - JD_OUTPUT];
        int first = STATES + 13 * told[1] + told[2];
        if (told[0] == ACCELERATION)
            s = JD_NQ + told[1];
        if (told[0] == MOTION)
            s = first;
        if (told[0] == LENGTH) {
            double length = jd_get(core->model, (int32_t)r), motion[13], q[JD_NQ + 1], v[JD_NV + 1];
            if (!(length > 0.0) || jd_state(core->model, q, v, NULL) != JD_OK ||
                jd_marker_motion(core->model, FMU_MARKER[told[1]], q, v, motion) != JD_OK)
                return 0;
            for (i = 0; i < 3; i++)
                for (k = 0; k < COLUMNS; k++)
                    row[k] += motion[told[2] + i] / length * core->partials[(first + i) * COLUMNS + k];
            return 1;
        }
    }
    if (s < 0)
        return 0;
    memcpy(row, core->partials + (size_t)s * COLUMNS, COLUMNS * sizeof(double));
    return 1;
}
#endif

/* Moves a known by h, a state or an input. */
static int move(Core *core, double *x, unsigned r, double h)
{
    double value;
    if (state_of(r) >= 0) {
        x[state_of(r)] += h;
        return 1;
    }
    value = r < JD_VARIABLES ? jd_get(core->model, (int32_t)r) + h : 0.0;
    return r < JD_VARIABLES && jd_set(core->model, (int32_t)r, value) == JD_OK;
}

/* Derivative of unknowns along a change of knowns, by central differences: the model's functions are smooth but where
   contacts begin and end. */
static int core_differences(Core *core, const unsigned *unknowns, size_t rows, const unsigned *knowns, size_t columns,
    const double *seed, double *out)
{
    const size_t size = (size_t)jd_size();
    void *kept = malloc(size);
    double *values = (double *)malloc((rows + STATES + 1) * sizeof(double));
    double largest = 0.0, scale = 1.0, before, h;
    size_t i;
    int side, fine = kept != NULL && values != NULL;
    double *x = values + rows;
    memset(out, 0, rows * sizeof(double));
    for (i = 0; fine && i < columns; i++) {
        fine = core_get(core, knowns + i, 1, &before);
        largest = fmax(largest, fabs(seed[i]));
        scale = fmax(scale, fabs(before));
    }
    if (fine && largest > 0.0) {
        memcpy(kept, core->model, size);
        h = 6e-6 * scale / largest;
        for (side = -1; fine && side <= 1; side += 2) {
            fine = core_states(core, x, STATES);
            for (i = 0; fine && i < columns; i++)
                fine = move(core, x, knowns[i], side * h * seed[i]);
            fine = fine && core_put(core, x, STATES) && core_get(core, unknowns, rows, values);
            for (i = 0; fine && i < rows; i++)
                out[i] += side * values[i] / (2.0 * h);
            fine = jd_copy(core->model, kept) == JD_OK && fine; /* `kept` is an instance, as `core->model` is */
            core_moved(core);
        }
    }
    free(kept);
    free(values);
    return fine;
}

/* Derivative of unknowns along a change of knowns. */
static int core_slope(Core *core, const unsigned *unknowns, size_t rows, const unsigned *knowns, size_t columns,
    const double *seed, double *out)
{
#if FMU_PARTIALS
    double x[COLUMNS + 1], row[COLUMNS + 1], more;
    double *left = (double *)calloc(columns + 1, sizeof(double)); /* seeds of what has no formula */
    int fine = left != NULL, some = 0;
    size_t i, k;
    memset(x, 0, sizeof x);
    for (k = 0; fine && k < columns; k++)
        if (!column_of(core, knowns[k], seed[k], x, NULL)) {
            left[k] = seed[k];
            some = 1;
        }
    for (i = 0; fine && i < rows; i++) {
        fine = core_matrix(core);
        if (fine && row_of(core, unknowns[i], row)) {
            out[i] = 0.0;
            for (k = 0; k < COLUMNS; k++)
                out[i] += row[k] * x[k];
            if (some) {
                fine = core_differences(core, unknowns + i, 1, knowns, columns, left, &more);
                out[i] += more;
            }
        } else {
            fine = fine && core_differences(core, unknowns + i, 1, knowns, columns, seed, out + i);
        }
    }
    free(left);
    return fine;
#else
    return core_differences(core, unknowns, rows, knowns, columns, seed, out);
#endif
}

/* Derivative of a weighted sum of unknowns by each known. */
static int core_adjoint(Core *core, const unsigned *unknowns, size_t rows, const unsigned *knowns, size_t columns,
    const double *seed, double *out)
{
    size_t i, k;
    int fine = 1;
    double one = 1.0, slope;
    memset(out, 0, columns * sizeof(double));
#if FMU_PARTIALS
    double row[COLUMNS + 1], read;
    for (i = 0; fine && i < rows; i++) {
        int known = core_matrix(core) && row_of(core, unknowns[i], row);
        for (k = 0; fine && k < columns; k++) {
            if (known && column_of(core, knowns[k], 0.0, row, &read)) {
                out[k] += seed[i] * read;
            } else {
                fine = core_differences(core, unknowns + i, 1, knowns + k, 1, &one, &slope);
                out[k] += fine ? seed[i] * slope : 0.0;
            }
        }
    }
#else
    for (i = 0; fine && i < rows; i++)
        for (k = 0; fine && k < columns; k++) {
            fine = core_differences(core, unknowns + i, 1, knowns + k, 1, &one, &slope);
            out[k] += fine ? seed[i] * slope : 0.0;
        }
#endif
    return fine;
}
