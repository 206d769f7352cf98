const SKELETON_ROWS = 12

/** Rows to come, at their height. */
export function SkeletonRows({ columns, density }: { columns: number; density: string }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
    <tr key={row} aria-hidden data-skeleton className={density === 'compact' ? 'h-7' : 'h-9'}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <td key={column} className="border-b px-3">
          <span
            className="block h-3 rounded bg-muted motion-safe:animate-pulse"
            style={{ width: `${45 + ((row * 7 + column * 13) % 45)}%` }}
          />
        </td>
      ))}
    </tr>
  ))
}
