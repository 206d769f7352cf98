import type { AccountActor, PolicyRule } from '@/lib/auth/rights'

/** The user of the page. */
export type Viewer = {
  userId: string
  email: string
  roles: readonly string[]
  /** For these roles, as far as `can` asks. */
  policies: readonly PolicyRule[]
}

export const viewerOf = ({ userId, name, roles, policies = [] }: AccountActor): Viewer => ({
  userId,
  email: name,
  roles,
  policies: policies.map(outlineOf),
})

/** That a policy has conditions or fields, and not which: those name what is hidden from the user. */
const outlineOf = ({ entities, actions, allow, where = [], fields }: PolicyRule): PolicyRule => ({
  ...{ entities, actions, allow },
  ...(where.length > 0 ? { where: [true] } : {}),
  ...(fields ? { fields: [] } : {}),
})

/** As `can` expects it: a user has all rights of their roles. */
export const holderOf = ({ roles, policies }: Viewer) => ({ roles, policies, scopes: null })
