/** Asks the visitor to sign in; resolves with false when they decline. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null
let asking: Promise<boolean> | null = null
let declined = false
let signIns = 0

/** How often the user has signed in again: to be read before a request is sent. */
export const signInsSoFar = () => signIns

/** How to ask, from now on; null: by leaving for the sign-in page. */
export function setSignInAgain(next: Ask | null): void {
  ask = next
  asking = null
  declined = false
}

/**
 * Whether a request that was refused with 401 is to be sent again: once the same user has signed in.
 * Requests that are refused together wait for one sign-in; one that was sent `before` it and is
 * answered late needs no other. Reads don't ask again after a refusal,
 * as they go on in the background.
 */
export async function signInAgain(isRead: boolean, before: number): Promise<boolean> {
  if (!ask) {
    leaveForSignIn()
    return false
  }
  if (before !== signIns) return true
  if (isRead && declined && !asking) return false
  asking ??= askOnce(ask)
  return asking
}

async function askOnce(ask: Ask): Promise<boolean> {
  try {
    const signedIn = await ask()
    declined = !signedIn
    if (signedIn) signIns += 1
    return signedIn
  } finally {
    asking = null
  }
}

function leaveForSignIn(): void {
  if (typeof window === 'undefined' || window.location.pathname === '/login') return
  const here = window.location.pathname + window.location.search
  window.location.assign(`/login?next=${encodeURIComponent(here)}`)
}
