/**
 * Thrown to roll back: the file has to be prepared as a whole. `isForRecords`: because of its records, which no way
 * in parts can write.
 */
export class NotInParts extends Error {
  readonly isForRecords: boolean

  constructor({ isForRecords }: { isForRecords: boolean }) {
    super('The file has to be prepared as a whole')
    this.isForRecords = isForRecords
  }
}
