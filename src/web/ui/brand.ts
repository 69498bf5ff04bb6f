/** Whether the host name selects the turbo variant, which has its own logo and label. */
export const isTurbo = (host: string) => /turbo/i.test(host)
