mod building;
mod marks;
mod paths;
mod sets;
mod shape;
mod text;
mod transform;
