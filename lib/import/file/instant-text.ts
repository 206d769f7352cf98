/** Spreadsheets have no zone; a day is an instant at midnight. */
export function instantText(date: Date): string {
  if (Number.isNaN(date.getTime())) return 'an invalid date'
  const iso = date.toISOString()
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso
}
