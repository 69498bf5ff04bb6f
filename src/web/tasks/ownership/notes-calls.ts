/** Notes of a task or configuration, and the version that they belong to. */
export type Noted = { notes: string; updated_at: string }

/** How notes are saved and read again. */
export type NotesCalls = {
  /** Saves the notes, if what they belong to is unchanged since this version. */
  save: (edit: Noted) => Promise<unknown>
  readFresh: () => Promise<Noted>
  /** Shows what was saved. */
  onSaved: () => Promise<unknown>
}
