import { Skeleton } from '@/components/ui/state'

/** Shown in a panel until its record is loaded. */
export const PanelSkeleton = () => (
  <div className="grid gap-4 p-4">
    {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
      <div key={key} className="grid gap-1.5">
        <Skeleton className="h-3 w-24" />
        <Skeleton className="w-64" />
      </div>
    ))}
  </div>
)
