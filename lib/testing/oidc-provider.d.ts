/** What tests use of it: the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
    ): Promise<void>
    on(event: string, listener: (...values: unknown[]) => void): this
    Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
  }
}
