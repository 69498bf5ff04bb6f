import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { type FailureKind, OriginFailure } from '../../connector.ts'

/** A workbook, or a change of it, that is refused; the message is for people. */
export const refusal = (message: string, kind: FailureKind = 'invalid', cause?: unknown): OriginFailure =>
  new OriginFailure(kind, message, cause === undefined ? undefined : { cause })

/** A file that is damaged or incomplete. */
export const broken = (file: string, detail: string, cause?: unknown): OriginFailure =>
  refusal(fileMessages.broken(file, detail), 'invalid', cause)
