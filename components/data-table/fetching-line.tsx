/** Says that newer rows are on their way while the old ones stay. */
export const FetchingLine = ({ active }: { active: boolean }) => (
  <div aria-hidden className="sticky top-0 left-0 z-20 h-0">
    {active && <div className="h-0.5 w-full bg-primary/60 motion-safe:animate-pulse" />}
  </div>
)
