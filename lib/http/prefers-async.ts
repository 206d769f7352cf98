/** Whether a request asks for work in the background: `Prefer: respond-async` of RFC 7240, among other preferences or alone. */
export const prefersAsync = ({ headers }: Request): boolean =>
  /(^|,)\s*respond-async\s*(,|;|$)/i.test(headers.get('prefer') ?? '')
