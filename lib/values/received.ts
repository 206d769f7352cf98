/** A request, with what this server knows of it without work. */
export type Received = Request & {
  /** Whether its client has left before the end of the response. */
  readonly hasLeft?: boolean
  /** As it was sent. */
  readonly path?: string
  /** `/api/entities/[entityName]` */
  readonly routePattern?: string | undefined
}

/** Whether its client has left before the end of the response. Its signal says the same, and takes longer to make. */
export const hasLeft = (request: Pick<Received, 'hasLeft' | 'signal'>): boolean =>
  request.hasLeft ?? request.signal.aborted

/** The path of its address. */
export const pathOf = (request: Pick<Received, 'path' | 'url'>): string =>
  request.path ?? new URL(request.url).pathname
