import { Skeleton } from '@/components/ui/state'

/** Where the filter builder will be, while its code is loaded. */
export const PanelSkeleton = () => <Skeleton className="h-24 w-[min(42rem,calc(100vw-3rem))]" />
