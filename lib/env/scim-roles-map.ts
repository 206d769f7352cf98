import { z } from 'zod'
import { readRolesMap } from './oidc-providers'

/** Names of groups, exact or with `*` at the end, and the roles that each gives. */
export const scimRolesMap = () =>
  z
    .string()
    .default('{}')
    .transform((text, context) => {
      const map = readRolesMap(text)
      const roles = map?.flatMap((entry) => entry.roles) ?? []
      // Guests alone have it.
      if (map && !roles.some((role) => role.toLowerCase() === 'anonymous')) return map
      context.addIssue('must look like {"Engine admins":"ADMIN","staff-*":["EDITOR","Clerk"]}')
      return z.NEVER
    })
