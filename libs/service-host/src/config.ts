/** The one place where a service's environment enters; what it means is in each service's settings. */
export const processEnvironment: Readonly<Record<string, string | undefined>> = process.env;
