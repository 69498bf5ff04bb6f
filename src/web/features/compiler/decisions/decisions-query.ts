import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { compilerDecisions } from '../../../../contract/decisions/calls.ts'
import { decisionMessages } from '../../../../contract/decisions/client-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { call } from '../../../lib/call.ts'

const views = ['value', 'source', 'rules'] as const
const states = ['open', 'decided', 'all'] as const

/** View, filters and page of the decisions, in the URL. */
export type DecisionFilters = {
  view: (typeof views)[number]
  state: (typeof states)[number]
  field?: string | undefined
  source?: string | undefined
  text?: string | undefined
  page: number
}

/** Reads the filters from the URL; invalid values are ignored. */
export function readDecisionFilters(params: URLSearchParams): DecisionFilters {
  const page = Number(params.get('page'))
  const source = params.get('source')
  return {
    view: views.find((view) => view === params.get('view')) ?? 'value',
    state: states.find((state) => state === params.get('state')) ?? 'open',
    field: params.get('field') ?? undefined,
    source: source && /^[1-9]\d{0,8}$/.test(source) ? source : undefined,
    text: params.get('q') ?? undefined,
    page: Number.isInteger(page) && page > 1 ? page : 1,
  }
}

/** The filters as parameters of the URL. */
export function decisionParams({ view, state, field, source, text, page }: DecisionFilters): URLSearchParams {
  const all = {
    view: view === 'value' ? undefined : view,
    state: state === 'open' ? undefined : state,
    ...{ field, source, q: text },
    page: page > 1 ? String(page) : undefined,
  }
  return new URLSearchParams(
    Object.entries(all).flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : [])),
  )
}

const offsetOf = (page: number) => String((page - 1) * limits.compiled_page_size)

/** A page of different values. */
export const disagreementsQuery = (id: number, { page, view: _, ...filters }: DecisionFilters) =>
  queryOptions({
    queryKey: [compilerDecisions.disagreements.path, id, filters, page] as const,
    queryFn: ({ signal }) =>
      call(compilerDecisions.disagreements, {
        params: { id },
        query: { ...filters, offset: offsetOf(page) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { failure: decisionMessages.load_failed },
  })

/** A page of sources that disagree. */
export const disputesQuery = (id: number, { page, field, source }: DecisionFilters) =>
  queryOptions({
    queryKey: [compilerDecisions.disputes.path, id, { field, source }, page] as const,
    queryFn: ({ signal }) =>
      call(compilerDecisions.disputes, {
        params: { id },
        query: { field, source, offset: offsetOf(page) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { failure: decisionMessages.load_failed },
  })

/** A page of live rules. */
export const rulesQuery = (id: number, { page, field, text }: DecisionFilters) =>
  queryOptions({
    queryKey: [compilerDecisions.decisions.path, id, { field, text }, page] as const,
    queryFn: ({ signal }) =>
      call(compilerDecisions.decisions, {
        params: { id },
        query: { field, text, offset: offsetOf(page) },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { failure: decisionMessages.rules_failed },
  })
