export const safely = (f) => async (input) => f(input);
