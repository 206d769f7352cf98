import { z } from 'zod'
import { isObject, type Json } from '@/lib/values/json'

const name = z.string().trim().min(1).max(64)
const names = z.array(name).min(1).max(256)

/** A role in `EngineRoles`; unknown keys are kept. */
export const roleDefinition = z.looseObject({
  name,
  label: z.string().optional(),
  description: z.string().optional(),
})
export const ROLE_KEYS = Object.keys(roleDefinition.shape)
export type RoleDefinition = z.infer<typeof roleDefinition>

const POLICY_ACTIONS = ['read', 'write', 'update', 'delete', '*'] as const

const MAX_CONDITIONS = 64
const MAX_NESTING = 8
const MAX_CONDITION_CHARS = 16_000

/** Conditions of the search grammar, unchecked but for their number. */
const conditions = z
  .array(z.custom<Json>().meta({ component: 'Engine.Condition' }))
  .superRefine((list, { addIssue }) => {
    const { count, depth } = measure(list)
    if (count > MAX_CONDITIONS)
      addIssue(
        `Has ${count} conditions, nested ones counted; at most ${MAX_CONDITIONS} are allowed`,
      )
    if (depth > MAX_NESTING) addIssue(`Conditions nest at most ${MAX_NESTING} levels deep`)
    if (JSON.stringify(list).length > MAX_CONDITION_CHARS)
      addIssue(`Has at most ${MAX_CONDITION_CHARS} characters as JSON`)
  })

/** The number of conditions in a list, and how many lists of `filters` lie within each other. */
function measure(list: readonly Json[]): { count: number; depth: number } {
  const nested = list.flatMap((condition) =>
    isObject(condition) && Array.isArray(condition.filters) ? [measure(condition.filters)] : [],
  )
  const depths = nested.map(({ depth }) => depth + 1)
  return {
    count: nested.reduce((sum, { count }) => sum + count, list.length),
    depth: Math.max(0, ...depths),
  }
}

const MAX_FIELDS = 256
const fieldName = z.string().min(1).max(200)
const fieldNames = z.array(fieldName).max(MAX_FIELDS)
const values = z.record(fieldName, z.custom<Json>()).superRefine((set, { addIssue }) => {
  if (Object.keys(set).length > MAX_FIELDS) addIssue(`Sets at most ${MAX_FIELDS} fields`)
  if (JSON.stringify(set).length > MAX_CONDITION_CHARS)
    addIssue(`Has at most ${MAX_CONDITION_CHARS} characters as JSON`)
})

/** A policy in `EnginePolicies`; unknown keys are kept. */
export const policyDefinition = z.looseObject({
  name: z.string().trim().min(1).max(128),
  description: z.string().optional(),
  /** Role names, case-insensitive; `*` is every user with a role. */
  principals: names,
  /** Entity names, case-insensitive; `*` is every entity except system entities. */
  entities: names,
  actions: z.array(z.enum(POLICY_ACTIONS)).min(1),
  allow: z.boolean().default(true),
  /** Only orders the list: a policy that denies wins at any priority. */
  priority: z.number().int().min(-1_000_000).max(1_000_000).default(0),
  /** The rows it concerns; all without it. */
  where: conditions.optional(),
  /** The fields it concerns; all without it. Keys are readable with their row, whatever it says. */
  fields: z
    .union([fieldNames, z.strictObject({ except: fieldNames })], {
      error: `Must be a list of at most ${MAX_FIELDS} names, or { "except": such a list }`,
    })
    .optional(),
  /** Values that a created or changed record gets, whatever was sent. */
  set: values.optional(),
  /** What a written record must meet afterwards; `where` without it. */
  check: conditions.optional(),
})
export const POLICY_KEYS = [...Object.keys(policyDefinition.shape), 'entityList']
export type PolicyDefinition = z.infer<typeof policyDefinition>
