import { z } from 'zod'

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
})
export const POLICY_KEYS = [...Object.keys(policyDefinition.shape), 'entityList']
export type PolicyDefinition = z.infer<typeof policyDefinition>
