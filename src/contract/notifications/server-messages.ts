/** Texts of notifications in replies. */
export const notificationServerMessages = {
  mentioned_by: (who: string | null) => `${who ?? 'Somebody'} mentioned you in its notes.`,
  mail_subject: (count: number, first: string) =>
    count === 1 ? `Rowferry: ${first}` : `Rowferry: ${first} and ${count - 1} more`,
  mail_lines: {
    failed: (title: string) => `${title} failed`,
    approval: (title: string) => `${title} needs an approval`,
    missed: (title: string) => `${title} missed a scheduled start`,
    file: (title: string) => `The file of ${title} has not arrived`,
    late: (title: string) => title,
    mention: (title: string) => `The notes of ${title} mention you`,
  },
  mail_more: (count: number) => `And ${count} more.`,
  mail_end: 'You get this mail because you chose it at the bell of Rowferry.',
} as const
