import type * as z from 'zod/mini'
import type { Call, InputOf } from './calls.ts'

// An address writes numbers as digits, so a client may pass either.
type Wire<T> = { [K in keyof T]: string extends T[K] ? T[K] | number : T[K] }
type Part<K extends string, T> = [T] extends [undefined]
  ? { [Key in K]?: undefined }
  : Record<never, never> extends T
    ? { [Key in K]?: T }
    : { [Key in K]: T }

/** What a client passes to make a call: the parts that its declaration has. */
export type RequestOf<C extends Call> = Part<'params', Wire<InputOf<C, 'params'>>> &
  Part<'query', Wire<InputOf<C, 'query'>>> &
  Part<'body', InputOf<C, 'body'>>

/** The other reply of a call, with status 202. */
export type AcceptedOf<C> = C extends { accepted: infer Other extends z.core.$ZodType }
  ? z.output<Other>
  : never
