/** The script of the explorer, as text. */
export declare const explorerScript: string
/** The `ExplorerData`: JSON, compressed with deflate, in base64. */
export declare const explorerData: string
