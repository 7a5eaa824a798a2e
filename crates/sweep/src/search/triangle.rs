//! Cholesky factors that grow by a row at a time.

/// Lower triangle of a matrix, row by row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Triangle {
    rows: usize,
    entries: Vec<f64>,
}

impl Triangle {
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    fn row(&self, index: usize) -> &[f64] {
        let start = index * (index + 1) / 2;
        &self.entries[start..=start + index]
    }

    /// Adds the row of a symmetric matrix that ends in `diagonal`; the factor keeps no smaller
    /// square on its diagonal than `least`.
    pub(crate) fn push(&mut self, row: &[f64], diagonal: f64, least: f64) {
        let mut solved = Vec::with_capacity(self.rows + 1);
        for (index, &entry) in row.iter().enumerate() {
            solved.push(self.next(index, &solved, entry));
        }
        let rest = diagonal - dot(&solved, &solved);
        self.entries.extend(solved);
        self.entries.push(rest.max(least).sqrt());
        self.rows += 1;
    }

    /// Entry of the solution of the factor for a right-hand side, after the entries `before` it.
    pub(crate) fn next(&self, index: usize, before: &[f64], right: f64) -> f64 {
        let row = self.row(index);
        (right - dot(&row[..index], before)) / row[index]
    }

    /// Half of the logarithm of the matrix's determinant.
    pub(crate) fn half_log_determinant(&self) -> f64 {
        (0..self.rows)
            .map(|row| libm::log(self.row(row)[row]))
            .sum()
    }
}

/// Inner product, in four sums, so that an addition need not wait for the previous one.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (a, b) = (&a[..a.len().min(b.len())], &b[..a.len().min(b.len())]);
    let (fours, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = dot_plain(fours.remainder(), others.remainder());
    for (x, y) in fours.zip(others) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn dot_plain(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
