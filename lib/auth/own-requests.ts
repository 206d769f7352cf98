import type { Actor } from './rights'

// On `globalThis`: each route is a bundle with a copy of this module.
const shared = globalThis as typeof globalThis & { __engineOwnRequests?: WeakMap<object, Actor> }
shared.__engineOwnRequests ??= new WeakMap()
const actors = shared.__engineOwnRequests

/** Marks a request that this process makes to its own handlers as one of `actor`; none from outside can be such a request. */
export const actAs = (request: object, actor: Actor): void => void actors.set(request, actor)

/** The actor of a request that this process makes itself; null for all others. */
export const ownRequestActor = (request: object): Actor | null => actors.get(request) ?? null
