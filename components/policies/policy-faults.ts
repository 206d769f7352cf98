import { type FieldCondition, fieldConditions } from '@/components/data-table/filter/condition'
import { type Faults, faultOf, faultsOf } from '@/components/data-table/filter/condition-faults'
import type { FilterField } from '@/components/data-table/filter/field'
import { ApiError } from '@/lib/http/client'
import type { PolicyInput } from './policy-queries'

/** The conditions with a fault that can be seen without the server. */
export function faultsIn(
  { where, check }: Pick<PolicyInput, 'where' | 'check'>,
  fields: readonly FilterField[],
): Faults {
  const conditions = fieldConditions([...(where ?? []), ...(check ?? [])])
  return new Map(
    conditions.flatMap((condition) => {
      const fault = faultOf(condition, fields) ?? unfinished(condition)
      return fault ? [[condition, fault] as const] : []
    }),
  )
}

const unfinished = ({ value }: FieldCondition) =>
  value === '$me.profile.' ? { reason: 'Enter a key of the profile, such as branch' } : null

/** What the server found wrong with conditions, while the policy is the one that it refused. */
export function serverFaults(
  error: Error | null,
  refused: PolicyInput | undefined,
  policy: PolicyInput,
): Faults {
  if (!(error instanceof ApiError) || JSON.stringify(refused) !== JSON.stringify(policy))
    return new Map()
  const faultsAt = (place: 'where' | 'check') =>
    faultsOf(
      policy[place] ?? [],
      [],
      error.validations
        .filter(({ field }) => field.startsWith(place))
        .map((each) => ({ ...each, field: each.field.replace(place, 'query') })),
    )
  const told = new Set(error.validations.map((each) => each.error))
  return new Map(
    [...faultsAt('where'), ...faultsAt('check')].filter(([, { reason }]) => told.has(reason)),
  )
}
