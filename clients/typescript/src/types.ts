/** A product of the list. */
export interface Product { id: number; artNo: string }
export interface ProductPage { totalPages: number; data: Product[] }

/** An entry: one color and size of a product. A size is a number such as `36` or a text such as `"XL"`. */
export interface StockEntry { guid: string; barCode: string | null; color: string; size: string | number; stock: number }

/** One color of a product to create. A size is a number, a text or a range such as `"36-40"`. */
export interface ColorGroup { color: string; pid: number; param: { size: string | number; stock: number; barCode?: string | null }[] }

/** Names an entry by product, color and size, or by its barcode. */
export type EntryAddress =
  | { pid: number; color: string; size: string | number }
  | { artNo: string; color: string; size: string | number }
  | { barCode: string };

/** Changes a quantity by `change`, or sets it; with `expect` only if the entry has this quantity. */
export type Adjustment = EntryAddress & ({ change: number } | { set: number }) & { expect?: number };

export interface AdjustReport {
  number: number;
  entries: { guid: string; pid: number; color: string; size: string | number; before: number; after: number }[];
}

/** Names an entry, a color with all sizes, a size in all colors, or an entry by its barcode. */
export type Removal = (ProductName & ({ color: string; size?: number | string } | { size: number | string })) | { barCode: string };
export interface RemoveReport {
  number: number;
  entries: { guid: string; pid: number; color: string; size: number | string; barCode: string | null; before: number }[];
}
export type BatchedStock = { pid: number; entries: StockEntry[] } | { pid: number; code: string; msg: string };

/** Names a product by its id or its item number. */
export type ProductName = { pid: number } | { artNo: string };

/** A product to create, or the fields of one to change; what is left out stays as it is. */
export type ProductDraft = ProductName & {
  title?: string; description?: string; price?: number | string; imgs?: string[]; categoryIdTree?: string;
  categoryNameTree?: string; attributes?: { name: string; value?: string }[]; video?: string;
};
export interface SaveReport {
  number: number | null;
  products: { pid: number; artNo: string; created: boolean; fields: string[]; removed: string[] }[];
}
/** Where a picture goes: a product by `pid` or `artNo`, and its `color` or `position`; nothing: it is only stored. */
export interface PictureSpot { pid?: number; artNo?: string; color?: string; position?: number }

export interface StoredPicture { number: number | null; address: string; sha256: string; width: number; height: number }

export interface ArchiveReport { number: number | null; products: { pid: number; artNo: string; changed: boolean }[] }

/** A product is found if it meets everything that is given. */
export interface ProductQuery { artNo?: string[]; barCode?: string[]; words?: string; changedAfter?: string; limit?: number }
export interface FoundPage {
  cursor: string; next: string; products: { pid: number; artNo: string; title: string; status: string }[];
}

export interface ImportError { row: number; artNo: string; column: string; value: string; code: string; msg: string }
export interface ImportStatus {
  job: string; kind: string; state: string; mode: string; apply: boolean; undoes: string | null; undoneBy: string | null;
  undoable: boolean; progress: { phase: string | null; done: number; total: number; unit: string | null; secondsLeft: number | null };
  products: { created: number; changed: number; unchanged: number; failed: number };
  entries: { created: number; changed: number; unchanged: number };
  reason: string | null; warnings: { code: string; msg: string }[]; page: number; totalPages: number; errors: ImportError[];
}

export interface ProductDetail {
  categoryIdTree: string; categoryNameTree: string; description: string; imgs: string[]; price: number; outerId: string;
  picUrl: string; attributes: { name: string; value: string }[]; skus: { color: string; size: string; stockNum: string; skuImg: string }[];
  storeUrl: string; storeName: string; title: string; video: string;
}

export interface PublishResult { pid: number; result: "published" | "failed" | "withdrawn"; url?: string; msg?: string }
export interface PublishReport { accepted: number; errors: import("./errors.js").Problem[] }

export interface Unpublished { pid: number; artNo: string; fetchedAt: string; result: string | null }
export interface Usage {
  limits: {
    name: string; store?: string | null; limit: number | null; used: number | null; remaining: number | null;
    resetsAt: string | null; note: string;
  }[];
  unpublished: { page: number; totalPages: number; total: number; data: Unpublished[] };
}

/** A change of one product or of its stock. */
export interface Change {
  number: number; at: string; kind: "stock" | "product"; pid: number; artNo: string; source: string; batch: string;
  entries?: { guid: string; barCode: string | null; color: string; size: string | number; before: number | null; after: number | null }[];
  created?: boolean; fields?: string[];
}
export interface ChangePage { cursor: string; more: boolean; changes: Change[] }
export interface SnapshotPage { cursor: string; next: string; products: { pid: number; artNo: string; entries: StockEntry[] }[] }
export interface StockDigest { cursor: string; products: number; entries: number; digest: string; blocks: { block: number; digest: string }[] }

export interface WebhookSecret { id: string; secret: string }
export interface Webhook {
  id: string; url: string; kinds: string[]; createdAt: string; state: string; disabledReason: string; cursor: string;
  pending: number; attempts: number; nextAttemptAt: string | null; failingSince: string | null;
}
export interface WebhookDelivery {
  number: number; at: string; type: string; messageId: string; attempt: number; status: number | null; error: string; detail: string; millis: number;
}
