;; Multiplies one vector with many, sixteen numbers at a time. `compare-rows.ts` holds what this compiles to.
(module
  (memory (export "memory") 16) ;; 1 MB
  (func (export "compareRows")
    (param $query i32) ;; address of the query's 16-bit numbers, `width` of them
    (param $row i32)   ;; address of the rows' 8-bit numbers, `width` each, end to end
    (param $out i32)   ;; address of the products, a 32-bit number a row
    (param $rows i32)  ;; number of rows, at least one
    (param $width i32) ;; numbers of a row, a multiple of sixteen
    (local $end i32) (local $at i32) (local $bytes v128) (local $low v128) (local $high v128)
    (loop $each_row
      (local.set $end (i32.add (local.get $row) (local.get $width)))
      (local.set $at (local.get $query))
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (loop $each_sixteen
        (local.set $bytes (v128.load (local.get $row)))
        (local.set $low (i32x4.add (local.get $low) (i32x4.dot_i16x8_s
          (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $at)))))
        (local.set $high (i32x4.add (local.get $high) (i32x4.dot_i16x8_s
          (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (local.set $row (i32.add (local.get $row) (i32.const 16)))
        (br_if $each_sixteen (i32.lt_u (local.get $row) (local.get $end))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $out) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
        (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
      (br_if $each_row (local.get $rows)))))
