const MAX_KEPT = 200

const requestIds = new Set<string>()
let running = 0

/** Remembers which request of this tab may change something, so that what it changes is known as the tab's own. */
export async function watchWrite(sent: Promise<Response>): Promise<Response> {
  running += 1
  try {
    const response = await sent
    const id = response.headers.get('x-request-id')
    if (id) requestIds.add(id)
    const [oldest] = requestIds
    if (oldest && requestIds.size > MAX_KEPT) requestIds.delete(oldest)
    return response
  } finally {
    running -= 1
  }
}

/** The id of one of them may not be known yet. */
export const isWriting = (): boolean => running > 0

export const isOwnWrite = (requestId: string | null): boolean =>
  requestId !== null && requestIds.has(requestId)
