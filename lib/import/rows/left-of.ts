import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { RecordFaults } from '@/lib/rows/record-faults'

type Rows = PreparedRow[]

/** The rows about which `check` finds no fault. */
export async function leftOf(
  rows: Rows,
  faults: RecordFaults,
  check: () => Promise<unknown>,
): Promise<Rows> {
  const bad = new Set<number | undefined>()
  const { onFault } = faults
  faults.onFault = (index, detail) => {
    bad.add(index)
    onFault?.(index, detail)
  }
  try {
    await check()
  } finally {
    if (onFault) faults.onFault = onFault
  }
  return bad.size === 0 ? rows : rows.filter(({ index }) => !bad.has(index))
}
