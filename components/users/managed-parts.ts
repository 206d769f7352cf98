import type { User } from '@/lib/users/contract'

/** What SCIM decides of roles and profile, in words. */
export const managedParts = ({ roles, profile }: NonNullable<User['managed']>): string[] => [
  ...(roles.length > 0 ? [`the roles ${roles.join(', ')}`] : []),
  ...(profile.length > 0 ? [`${profile.join(', ')} of the profile`] : []),
]
