/** The mark: three layers, the middle one for us to fill. */
export const Logo = () => (
  <svg viewBox="0 0 20 20" className="size-5 text-foreground" aria-hidden="true">
    <rect x="2" y="2.5" width="16" height="3.5" rx="1" fill="currentColor" />
    <rect x="2" y="8.25" width="10" height="3.5" rx="1" className="fill-primary" />
    <rect x="2" y="14" width="16" height="3.5" rx="1" fill="currentColor" />
  </svg>
)
