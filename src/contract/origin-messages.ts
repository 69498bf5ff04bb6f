/** The part of the catalogue that is about connections and what source tasks fetch through them. */
export const originMessages = {
  identifier_invalid: 'Identifier must be 2–60 chars (alphanumeric, _, -)',
  url_required: 'The address is required',
  statement_required: 'The statement is required',

  // hosts that may be reached
  host_invalid: (host: string) => `“${host}” is not the name or address of a host.`,
  host_not_allowed: (host: string, port: number) =>
    `${host} (port ${port}) is not on the list of allowed hosts. An administrator can add it.`,
  address_not_allowed: (address: string, port: number, kind: string) =>
    `${address} (port ${port}) is ${kind ? `a ${kind}` : 'an'} address that is not on the list of allowed hosts.`,
  name_leads_inside: (name: string, address: string, kind: string) =>
    `${name} leads to ${address}, a ${kind} address that is not on the list of allowed hosts.`,
  name_unknown: (name: string) => `The name ${name} could not be resolved.`,
} as const
