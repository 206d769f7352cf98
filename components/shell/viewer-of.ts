import type { AccountActor, PolicyRule } from '@/lib/auth/rights'

/** The user of the page. */
export type Viewer = {
  userId: string
  email: string
  roles: readonly string[]
  /** Of installed plugins, for these roles. */
  policies: readonly PolicyRule[]
}

export const viewerOf = ({ userId, name, roles, policies = [] }: AccountActor): Viewer => ({
  userId,
  email: name,
  roles,
  policies,
})

/** As `can` expects it: a user has all rights of their roles. */
export const holderOf = ({ roles, policies }: Viewer) => ({ roles, policies, scopes: null })
