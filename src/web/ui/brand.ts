/** The host name decides the variant: the one with "turbo" in its name has its own logo and label. */
export const isTurbo = (host: string) => /turbo/i.test(host)
