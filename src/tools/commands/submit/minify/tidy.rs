//! Takes marks away that mean nothing: the semicolon after the last statement of a block, where its value is
//! none, and the braces around the one expression of an arm.

use super::edits::{apply, Edits};
use anyhow::Result;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Arm, BinOp, Block, Expr, Stmt};

/// The source with fewer marks.
pub fn tidied(text: &str) -> Result<String> {
    let mut tidy = Tidy::default();
    tidy.visit_file(&syn::parse_file(text)?);
    Ok(apply(text, tidy.0))
}

#[derive(Default)]
struct Tidy(Edits);

impl Tidy {
    fn replace(&mut self, node: impl Spanned, with: &str) {
        self.0.push((node.span().byte_range(), with.to_string()));
    }
}

impl<'ast> Visit<'ast> for Tidy {
    fn visit_block(&mut self, block: &'ast Block) {
        if let Some(Stmt::Expr(expression, Some(semicolon))) = block.stmts.last() {
            if is_nothing(expression) {
                self.replace(semicolon, "");
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        if let Expr::Block(body) = arm.body.as_ref() {
            let is_plain = body.label.is_none() && body.attrs.is_empty();
            if is_plain && is_single(&body.block) {
                let comma = if arm.comma.is_some() { "" } else { "," };
                let braces = body.block.brace_token.span;
                self.replace(braces.open(), "");
                self.replace(braces.close(), comma);
            }
        }
        visit::visit_arm(self, arm);
    }
}

/// Is a block one expression, which could stand without it?
fn is_single(block: &Block) -> bool {
    match &block.stmts[..] {
        [Stmt::Expr(_, None)] => true,
        [Stmt::Expr(expression, Some(_))] => is_nothing(expression),
        _ => false,
    }
}

/// Is the value of an expression nothing, or never met?
fn is_nothing(expression: &Expr) -> bool {
    match expression {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Assign(_) => true,
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::AddAssign(_)
                | BinOp::SubAssign(_)
                | BinOp::MulAssign(_)
                | BinOp::DivAssign(_)
                | BinOp::RemAssign(_)
                | BinOp::BitXorAssign(_)
                | BinOp::BitAndAssign(_)
                | BinOp::BitOrAssign(_)
                | BinOp::ShlAssign(_)
                | BinOp::ShrAssign(_)
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
