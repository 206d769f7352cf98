import { z } from 'zod'
import { BUILT_IN_ROLES, PERMISSIONS, type RECORD_ACTIONS } from '@/lib/auth/rights'
import { wholeNumber } from '@/lib/search/contract'
import { USER_STATUSES } from '@/lib/users/status'
import { strictObject, trimmedText } from '@/lib/values/wire-types'
import { whyQuery } from './why-contract'

const page = wholeNumber(z.number().max(1_000_000, 'is too large')).default(0)
const sizeUpTo = (max: number, usual: number) =>
  wholeNumber(z.number().min(1, 'must be at least 1').max(max, `must be at most ${max}`)).default(
    usual,
  )
const part = (of: string) =>
  z
    .string()
    .max(200)
    .default('')
    .meta({ description: `A part of the name of the ${of}; case-insensitive` })

const MAX_ROLES = 50

/** Query of `GET /api/roles`. */
export const rolesQuery = strictObject({ role: part('roles'), page, size: sizeUpTo(100, 50) })
export type RolesQuery = z.infer<typeof rolesQuery>

export const roleParams = z.strictObject({ name: z.string().trim().min(1).max(64) })

const label = z.string().max(128, 'has at most 128 characters')
const description = z.string().max(2_000, 'has at most 2,000 characters')

/** Body of `POST /api/roles`; `roleNameFault` checks the name. */
export const createRoleBody = strictObject({
  name: trimmedText({
    missing: 'must not be empty',
    max: 64,
    tooLong: 'has at most 64 characters',
  }),
  label: label.optional(),
  description: description.optional(),
})
export type CreateRoleBody = z.infer<typeof createRoleBody>

/** Body of `PATCH /api/roles/:name`: the given properties are changed; null takes one away. */
export const updateRoleBody = strictObject({
  label: label.nullable().optional(),
  description: description.nullable().optional(),
})
export type UpdateRoleBody = z.infer<typeof updateRoleBody>

/** Query of `DELETE /api/roles/:name`. */
export const deleteRoleQuery = strictObject({
  users: z.enum(['remove'], 'must be remove').optional().meta({
    description:
      'What becomes of a role in use: it is taken from its users, keys and the policies of here, of which those about no other role are deleted',
  }),
  replacement: z.string().trim().min(1).max(64).optional().meta({
    description: 'The role that its users, keys and the policies of here get in its place',
  }),
})
export type DeleteRoleQuery = z.infer<typeof deleteRoleQuery>

/** Query of `GET /api/users/:userId/rights`. */
export const userRightsQuery = strictObject({
  entity: part('entities'),
  page,
  size: sizeUpTo(250, 50),
})
export type UserRightsQuery = z.infer<typeof userRightsQuery>

/**
 * Query of `GET /api/rights`: a page of entities, each with what a page of roles may do; or one right and why it is there,
 * or not, by what `whyQuery` adds.
 */
export const rightsQuery = strictObject({
  ...whyQuery,
  entity: part('entities'),
  page,
  size: sizeUpTo(250, 50),
  role: part('roles'),
  rolePage: page,
  roleSize: sizeUpTo(MAX_ROLES, 12),
})
export type RightsQuery = z.infer<typeof rightsQuery>

const permission = z.enum(PERMISSIONS)
const builtIn = z.enum(BUILT_IN_ROLES)

export const role = z
  .object({
    name: z.string(),
    builtIn: z.boolean(),
    label: z.string().nullable(),
    description: z.string().nullable(),
    pluginId: z.string().nullable().meta({ description: 'The plugin that describes it' }),
    users: z.int().meta({ description: 'How many users have it' }),
    keys: z.int().meta({ description: 'How many API keys have it as a role of their own' }),
    permissions: z.array(permission).meta({ description: 'Rights that are not about records' }),
    grants: z.boolean().meta({ description: 'It gives a right to somebody who has no other role' }),
    policies: z.array(z.string()).meta({ description: 'Names of the policies that apply to it' }),
  })
  .meta({ id: 'Engine.Role' })
export type Role = z.infer<typeof role>

const decision = z
  .object({
    allowed: z.boolean(),
    closed: z.boolean().meta({ description: "The entity's own definition allows it to nobody" }),
    role: builtIn.nullable().meta({ description: 'The built-in role that allows it' }),
    limited: z.boolean().meta({ description: 'Allowed, but not for all records and fields' }),
    policies: z.array(z.string()).meta({
      description: 'Names of the policies that deny it, else of those that allow or limit it',
    }),
  })
  .meta({ id: 'Engine.Decision' })
export type Decision = z.infer<typeof decision>

const decisions = z.object({ read: decision, write: decision, update: decision, delete: decision })
export type Decisions = Record<(typeof RECORD_ACTIONS)[number], Decision>

const ofEntity = z.object({ entity: z.string(), pluginId: z.string().nullable() })

/** What a user may do with the records of an entity. */
export const entityRights = ofEntity.extend(decisions.shape).meta({ id: 'Engine.EntityRights' })
export type EntityRights = z.infer<typeof entityRights>

/** What each of some roles may do with the records of an entity, in the order of `meta.roles`. */
export const rightsOfRoles = ofEntity
  .extend({ roles: z.array(decisions) })
  .meta({ id: 'Engine.RightsOfRoles' })
export type RightsOfRoles = z.infer<typeof rightsOfRoles>

/** A policy that decides something of the response. */
const policySource = z
  .object({
    name: z.string(),
    pluginId: z.string().nullable(),
    allow: z.boolean(),
    entities: z.array(z.string()).meta({ description: '`*`: all but those of the engine' }),
    actions: z.array(z.string()).meta({ description: '`*`: all' }),
  })
  .meta({ id: 'Engine.PolicySource' })
export type PolicySource = z.infer<typeof policySource>

export const rolesMeta = z.object({ policies: z.array(policySource) })
export type RolesMeta = z.infer<typeof rolesMeta>

export const userRightsMeta = z.object({
  status: z.enum(USER_STATUSES).meta({ description: 'Only `ACTIVATED` users may do anything' }),
  roles: z.array(role),
  permissions: z
    .array(z.object({ permission, role: builtIn.nullable() }))
    .meta({ description: 'Every right that is not about records; `role`: what grants it' }),
  policies: z.array(policySource),
})
export type UserRightsMeta = z.infer<typeof userRightsMeta>

export const rightsMeta = z.object({
  roles: z.array(role),
  roleCount: z.int().meta({ description: 'Number of all roles with such a name' }),
  policies: z.array(policySource),
})
export type RightsMeta = z.infer<typeof rightsMeta>
